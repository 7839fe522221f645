// Builds the server, the console, the agent, the command line and the client; `--if-needed` builds only outputs that are older than their sources
// or of another version, `--only=cli,client` only these.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findVersion, readVersionFile, unknownVersion, versionFile, writeVersion } from './version.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

// The label weights, which the server reads from a file.
const labelWeights = join(root, 'server/src/platform/listening/labels/weights.json');

/*
 * `version`: `written` if a file beside the output names it, which changes without a build; `builtIn` if the output
 * contains it. The console asks the server.
 */
const products = [
  {
    name: 'server',
    sources: ['contract/src', 'server/src', 'package-lock.json', 'scripts/build.mjs'],
    output: 'server/dist/main.js',
    version: 'written',
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
    // Loaded only to build: most starts find everything built.
    build: async (output) => (await import('./build-console.mjs')).buildConsole(root, output),
  },
  {
    name: 'agent',
    sources: ['agent/src', 'client/src', 'contract/src', 'scripts/build.mjs'],
    output: 'agent/dist/agent.mjs',
    version: 'builtIn',
    build: buildAgent,
  },
  {
    name: 'cli',
    sources: ['cli/src', 'cli/package.json', 'client/src', 'contract/src', 'scripts/build.mjs'],
    output: 'cli/dist/earshot.mjs',
    version: 'builtIn',
    build: buildCli,
  },
  {
    name: 'client',
    sources: [
      'client/src',
      'client/README.md',
      'client/package.json',
      'contract/src',
      'scripts/build.mjs',
      'scripts/build-client.mjs',
      'scripts/client-types.mjs',
      'scripts/third-party.mjs',
      'scripts/contract-facts.mjs',
    ],
    output: 'client/dist/package.json',
    version: 'builtIn',
    build: buildClient,
  },
];

/** The package that can be published; its package.json last, because its time tells whether the build is current. */
async function buildClient(output, version) {
  const { clientFiles } = await import('./build-client.mjs');
  for (const [name, contents] of await clientFiles(root, version))
    writeWhole(join(root, dirname(output), name), contents);
}

/** Read by contract/src/build-version.ts. */
const versionConstant = (version) => ({ EARSHOT_VERSION: JSON.stringify(version) });

/** One file; its npm packages stay external. */
async function buildCli(output, version) {
  const esbuild = await import('esbuild');
  const { dependencies } = JSON.parse(readFileSync(join(root, 'cli/package.json'), 'utf8'));
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    entryPoints: ['cli/src/earshot.ts'],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    external: Object.keys(dependencies),
    define: versionConstant(version),
    logLevel: 'warning',
  });
  await esbuild.stop();
  for (const { path, contents } of outputFiles) writeWhole(path, contents);
}

/** The agent and its launcher: each one file without anything to install, for devices with an older Node. */
async function buildAgent(output, version) {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    entryPoints: { agent: 'agent/src/main.ts', launch: 'agent/src/launch.ts' },
    inject: ['client/src/older-node.ts'],
    outdir: dirname(output),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node18',
    format: 'esm',
    define: versionConstant(version),
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

/**
 * Pure JavaScript that every start loads: bundled, the server loads in two thirds of the processor time. Packages with
 * native parts or with files of their own stay external.
 */
const bundledPackages = new Set([
  '@fastify/busboy',
  'ajv',
  'aws4fetch',
  'fast-json-patch',
  'fastify',
  'ipaddr.js',
  'pg',
  'pg-copy-streams',
  'pino',
  'typebox',
  'undici',
]);

const isBundled = (name) => name.startsWith('@earshot/') || bundledPackages.has(name);

/** CommonJS packages call `require` for the modules of Node, and an ES module has none. */
const requireForPackages = `import { createRequire as createRequireForPackages } from 'node:module';
const require = createRequireForPackages(import.meta.url);`;

/**
 * Turns the imports of the list of features into static ones. A bundle with dynamic imports wraps each module in a
 * function, which Node parses twice.
 */
const staticFeatures = {
  name: 'static imports of features',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]server[/\\]src[/\\]features\.ts$/ }, ({ path }) => {
      const imports = [];
      const text = readFileSync(path, 'utf8').replaceAll(/\(await import\(('[^']+')\)\)/g, (_all, file) => {
        const name = `feature${imports.length}`;
        imports.push(`import * as ${name} from ${file};`);
        return name;
      });
      return { contents: [...imports, text].join('\n'), loader: 'ts' };
    });
  },
};

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
      backup: 'server/src/backup/main.ts',
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
    banner: { js: requireForPackages },
    plugins: [staticFeatures],
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

/** `only`: the names of the products to build, all of them when missing; `version`: instead of the one that git knows. */
export async function build({ ifNeeded = false, only, version = findVersion(root) } = {}) {
  for (const product of products) {
    if (only && !only.includes(product.name)) continue;
    const folder = join(root, dirname(product.output));
    const builtVersion = readVersionFile(folder);
    // Where the version is not known, what was built elsewhere stays.
    const isSameVersion = builtVersion !== undefined && (version === undefined || version === builtVersion);
    const isBuilt = ifNeeded && isCurrent(product) && (isSameVersion || product.version !== 'builtIn');
    const named = version ?? unknownVersion(root);
    if (!isBuilt) await product.build(product.output, named);
    if (product.version && !(isBuilt && isSameVersion)) writeWhole(join(folder, versionFile), writeVersion(named));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const only = process.argv
    .find((word) => word.startsWith('--only='))
    ?.slice('--only='.length)
    .split(',');
  await build({ ifNeeded: process.argv.includes('--if-needed'), only });
}
