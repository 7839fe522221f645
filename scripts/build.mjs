// Builds the server and the console; `--if-needed` builds only outputs that are older than their sources.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { buildConsole } from './build-console.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// The label weights, which the server reads from a file.
const labelWeights = join(root, 'server/src/platform/listening/labels/weights.json');

const products = [
  {
    name: 'server',
    sources: ['contract/src', 'server/src', 'package-lock.json', 'scripts/build.mjs'],
    output: 'server/dist/main.js',
    build: buildServer,
  },
  {
    name: 'console',
    sources: [
      'contract/src',
      'client/src',
      'console/src',
      'console/index.html',
      'console/tsconfig.json',
      'tsconfig.json',
      'package-lock.json',
      'scripts/build.mjs',
      'scripts/build-console.mjs',
      'scripts/contract-facts.mjs',
      'scripts/console-config.mjs',
    ],
    output: 'console/dist/index.html',
    build: (output) => buildConsole(root, output),
  },
  {
    name: 'agent',
    sources: ['agent/src', 'client/src', 'contract/src', 'scripts/build.mjs'],
    output: 'agent/dist/agent.mjs',
    build: buildAgent,
  },
];

/** The agent and its launcher: each one file without anything to install, for devices with an older Node. */
async function buildAgent(output) {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    entryPoints: { agent: 'agent/src/main.ts', launch: 'agent/src/launch.ts' },
    inject: ['agent/src/older-node.ts'],
    outdir: dirname(output),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    logLevel: 'warning',
  });
  await esbuild.stop();
  // The agent last, because its time tells whether the build is current.
  const isAgent = ({ path }) => Number(path === join(root, output));
  for (const { path, contents } of outputFiles.toSorted((a, b) => isAgent(a) - isAgent(b))) writeWhole(path, contents);
}

/** Written to another name and renamed, so that two starts from one checkout never read incomplete files. */
function writeWhole(path, contents) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

const isBundled = (name) => name.startsWith('@earshot/') || name === 'typebox';

async function buildServer(output) {
  const esbuild = await import('esbuild');
  const packages = ['contract', 'server'].map((name) =>
    JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8')),
  );
  const dependencies = packages.flatMap((file) => Object.keys({ ...file.dependencies, ...file.optionalDependencies }));
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    // The server and the programs that it runs in separate processes.
    entryPoints: {
      main: 'server/src/main.ts',
      'js-decoder': 'server/src/platform/media/js-decoder.ts',
      speaker: 'server/src/platform/speech/speaker.ts',
      'listening-child': 'server/src/platform/listening/process/child.ts',
    },
    outdir: dirname(output),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    // Our own packages are bundled; npm packages stay external, except one of hundreds of small files: bundled, the
    // server starts in two thirds of the time.
    external: dependencies.flatMap((name) => (isBundled(name) ? [] : [name, `${name}/*`])),
    logLevel: 'warning',
  });
  // Otherwise the helper process of esbuild would run as long as the server.
  await esbuild.stop();
  // The entry last, because its time tells whether the build is current.
  const isEntry = ({ path }) => Number(path === join(root, output));
  const data = { path: join(root, dirname(output), 'label-weights.json'), contents: readFileSync(labelWeights) };
  for (const { path, contents } of [data, ...outputFiles].toSorted((a, b) => isEntry(a) - isEntry(b))) {
    writeWhole(path, contents);
  }
}

/** The time of the newest file at or below a path. */
function newest(path) {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const isCurrent = ({ sources, output }) =>
  existsSync(join(root, output)) &&
  sources.every((source) => newest(join(root, source)) <= statSync(join(root, output)).mtimeMs);

export async function build({ ifNeeded = false } = {}) {
  for (const product of products) {
    if (ifNeeded && isCurrent(product)) continue;
    await product.build(product.output);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await build({ ifNeeded: process.argv.includes('--if-needed') });
}
