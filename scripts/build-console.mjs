import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { contractFacts } from './contract-facts.mjs';

/** What may be needed before the first page shows, compressed. */
const mostInitialBytes = 200_000;

/** Builds the console into a folder: assets with hashed names, and last the page that names them. */
export async function buildConsole(root, output) {
  const esbuild = await import('esbuild');
  const common = {
    write: false,
    metafile: true,
    absWorkingDir: root,
    outdir: join(dirname(output), 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/assets',
    loader: { '.woff2': 'file' },
    bundle: true,
    minify: true,
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    logLevel: 'warning',
  };
  const facts = await contractFacts(esbuild, root);
  const buildModules = (plugins) =>
    esbuild.build({
      ...common,
      entryPoints: { main: 'console/src/main.tsx', style: 'console/src/styles/style.css' },
      splitting: true,
      format: 'esm',
      jsx: 'automatic',
      jsxImportSource: 'preact',
      plugins,
    });
  const apart = await buildModules([facts]);
  const modules = await buildModules([facts, shareSmallChunks(root, apart.metafile)]);
  // A script of its own that runs before anything is painted.
  const theme = await esbuild.build({
    ...common,
    entryPoints: { theme: 'console/src/theme-first.ts' },
    format: 'iife',
  });
  await esbuild.stop();
  const outputFiles = [...modules.outputFiles, ...theme.outputFiles];
  const metafile = { outputs: { ...modules.metafile.outputs, ...theme.metafile.outputs } };

  const assets = join(root, dirname(output), 'assets');
  mkdirSync(assets, { recursive: true });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  for (const [name, contents] of files) writeWithEncodings(join(assets, name), contents);
  const initial = initialFiles(metafile);
  writeWhole(join(root, output), Buffer.from(pageOf(root, initial)));
  removeFormer(assets, files);
  reportSize(files, initial);
}

/** What is smaller than this is not worth a request of its own. */
const smallChunkBytes = 16_000;

/**
 * Splitting by page makes a chunk for each set of pages that share something, so a page would be a dozen requests. What
 * is in small chunks is made a part of every page instead, so that it is in one, loaded first: a page is one request.
 */
function shareSmallChunks(root, { outputs }) {
  const chunks = Object.entries(outputs).filter(([path]) => path.endsWith('.js'));
  const pages = new Set(chunks.flatMap(([, { entryPoint }]) => (entryPoint ? [join(root, entryPoint)] : [])));
  const shared = chunks
    .filter(([, { entryPoint, bytes }]) => !entryPoint && bytes < smallChunkBytes)
    .flatMap(([, { inputs }]) => Object.keys(inputs))
    .filter((path) => path.startsWith('console/'));
  const imports = shared.map((path) => `import ${JSON.stringify(`./${path}`)};`).join('\n');
  return {
    name: 'share-small-chunks',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^shared-by-all$/ }, ({ path }) => ({ path, namespace: 'shared' }));
      onLoad({ filter: /./, namespace: 'shared' }, () => ({ contents: imports, resolveDir: root, loader: 'js' }));
      onLoad({ filter: /\.tsx$/ }, ({ path }) => {
        if (!pages.has(path)) return undefined;
        return { contents: `import 'shared-by-all';\n${readFileSync(path, 'utf8')}`, loader: 'tsx' };
      });
    },
  };
}

/** The entries, and what they import before anything is shown. */
function initialFiles({ outputs }) {
  const named = (start) => Object.keys(outputs).find((path) => basename(path).startsWith(start));
  const main = named('main-');
  const chunks = new Set();
  const follow = (path) => {
    for (const { path: next, kind } of outputs[path].imports) {
      if (kind !== 'import-statement' || chunks.has(next)) continue;
      chunks.add(next);
      follow(next);
    }
  };
  follow(main);
  const names = { main, theme: named('theme-'), style: named('style-'), font: named('inter-') };
  const bases = Object.fromEntries(Object.entries(names).map(([name, path]) => [name, basename(path)]));
  return { ...bases, chunks: [...chunks].map((path) => basename(path)) };
}

function pageOf(root, { main, theme, style, font, chunks }) {
  const preloads = [
    `<link rel="preload" href="/assets/${font}" as="font" type="font/woff2" crossorigin />`,
    ...chunks.map((name) => `<link rel="modulepreload" href="/assets/${name}" />`),
  ];
  return readFileSync(join(root, 'console', 'index.html'), 'utf8')
    .replace('%theme%', `/assets/${theme}`)
    .replace('%style%', `/assets/${style}`)
    .replace('%main%', `/assets/${main}`)
    .replace('%preloads%', preloads.join('\n    '));
}

const brotli = (contents) => brotliCompressSync(contents, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });

/** Compressed here, once, rather than by every server that starts. */
function writeWithEncodings(path, contents) {
  if (existsSync(path) && existsSync(`${path}.br`)) return;
  writeWhole(path, contents);
  writeWhole(`${path}.gz`, gzipSync(contents, { level: 9 }));
  writeWhole(`${path}.br`, brotli(contents));
}

/** Written beside and renamed: two that build at once from one checkout never read half a file. */
function writeWhole(path, contents) {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

function removeFormer(assets, files) {
  for (const name of readdirSync(assets)) {
    if (!files.has(name.replace(/\.(gz|br)$/, ''))) rmSync(join(assets, name), { force: true });
  }
}

function reportSize(files, { main, theme, style, chunks }) {
  const compressed = (names) => names.reduce((sum, name) => sum + brotli(files.get(name)).length, 0);
  const scripts = compressed([main, theme, ...chunks]);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  console.log(
    `console: first load ${kilobytes(scripts)} of scripts and ${kilobytes(compressed([style]))} of styles, compressed; ` +
      `${kilobytes(compressed([...files.keys()]))} in all`,
  );
  if (scripts > mostInitialBytes) throw new Error(`the console loads ${kilobytes(scripts)} of scripts before it shows`);
}
