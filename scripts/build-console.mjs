import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { consoleBuild, consoleConfig } from './console-config.mjs';
import { contractFacts } from './contract-facts.mjs';

/** Limit for the scripts that are loaded before the first page shows, compressed. A test has a stricter one. */
const mostInitialBytes = 100_000;

/** Builds the console into a folder: assets with hashed names, and last the page that names them. */
export async function buildConsole(root, output) {
  const { build } = await import('vite');
  const facts = await contractFacts(root);
  const config = consoleConfig(root);
  const buildFiles = async (input, outputOptions) => {
    const { output: files } = await build({
      ...config,
      // By itself Vite decides by NODE_ENV, and then the scripts contain the paths of their sources.
      oxc: { jsx: { ...config.oxc.jsx, development: false } },
      define: { 'process.env.NODE_ENV': JSON.stringify('production'), 'import.meta.env.DEV': 'false' },
      plugins: [facts],
      logLevel: 'warn',
      build: {
        ...consoleBuild,
        rolldownOptions: { input, output: { ...outputNames, ...outputOptions }, checks, treeshake },
      },
    });
    return files;
  };
  const source = (path) => join(root, 'console/src', path);
  const modules = await buildFiles(
    { main: source('main.tsx'), style: source('styles/style.css') },
    { codeSplitting: { groups: sharedChunks } },
  );
  // A classic script of its own, which runs before the first paint.
  const theme = await buildFiles({ theme: source('theme-first.ts') }, { format: 'iife' });
  const outputFiles = [...modules, ...theme];

  const assets = join(root, dirname(output), 'assets');
  mkdirSync(assets, { recursive: true });
  const isEmptyEntry = ({ type, name, code }) => type === 'chunk' && name === 'style' && code.trim() === '';
  const files = new Map(
    outputFiles
      .filter((file) => !isEmptyEntry(file))
      .map((file) => [basename(file.fileName), Buffer.from(file.type === 'chunk' ? file.code : file.source)]),
  );
  for (const [name, contents] of files) writeWithEncodings(join(assets, name), contents);
  const initial = initialFiles(outputFiles);
  writeWhole(join(root, output), Buffer.from(pageOf(root, initial)));
  removeFormer(assets, files);
  reportSize(assets, [...files.keys()], initial);
}

const outputNames = {
  entryFileNames: 'assets/[name]-[hash].js',
  chunkFileNames: 'assets/[name]-[hash].js',
  assetFileNames: 'assets/[name]-[hash][extname]',
};

/**
 * `core` is what the frame needs; `pages` is what most pages share. Both are named by the page, so that opening a page
 * costs a few requests. What fewer pages share stands in chunks by the pages that use it: the editor of rules, the
 * timeline and the code that sends recordings apart from the rest, because they are large and rarely needed.
 */
const rule = /features[\\/]rule[\\/]/;
const timeline = /features[\\/]timeline[\\/]/;
const send =
  /features[\\/]upload[\\/]|client[\\/]src[\\/]upload|contract[\\/]src[\\/](upload|guano|recording-time|sound-metadata|written-time)\.ts/;
/** Small modules that would otherwise pull the code of a large part into a page that does not need it. */
const shared =
  /console[\\/]src[\\/](lib[\\/](leave-dialog|slices|ui[\\/]times)|features[\\/]listen[\\/](data|controls|loudness))/;
/** An import of a module that another chunk contains anyway moves nothing, because the groups decide. */
const checks = { bundlerTimings: false, ineffectiveDynamicImport: false };
/** Importing one name of a feature's public face does not load the others. */
const treeshake = { moduleSideEffects: (id) => !/[\\/]public\.tsx?$/.test(id) };
const byPages = { minShareCount: 2, entriesAware: true };
const sharedChunks = [
  { name: 'core', tags: ['$initial'], priority: 9 },
  { name: 'pages', test: (id) => shared.test(id), minShareCount: 2, priority: 6 },
  { name: 'pages', minShareCount: 6, priority: 5 },
  { name: 'rule', test: rule, priority: 4, entriesAwareMergeThreshold: 1_500, ...byPages },
  { name: 'timeline', test: timeline, priority: 4, entriesAwareMergeThreshold: 1_500, ...byPages },
  { name: 'send', test: send, priority: 4, entriesAwareMergeThreshold: 1_500, ...byPages },
  { name: 'part', priority: 1, entriesAwareMergeThreshold: 8_000, ...byPages },
];

/** The entries, the chunks that they import before anything is shown, and what most pages share. */
function initialFiles(outputFiles) {
  const chunks = new Map(outputFiles.filter(({ type }) => type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const entry = (name) => [...chunks.values()].find((chunk) => chunk.isEntry && chunk.name === name).fileName;
  const asset = (start) => outputFiles.find(({ fileName }) => basename(fileName).startsWith(start)).fileName;
  const found = new Set();
  const follow = (name) => {
    for (const next of chunks.get(name).imports) {
      if (found.has(next)) continue;
      found.add(next);
      follow(next);
    }
  };
  follow(entry('main'));
  for (const { fileName, name } of chunks.values()) {
    if (name !== 'pages') continue;
    found.add(fileName);
    follow(fileName);
  }
  const names = { main: entry('main'), theme: entry('theme'), style: cssOf(outputFiles), font: asset('inter-') };
  const bases = Object.fromEntries(Object.entries(names).map(([name, path]) => [name, basename(path)]));
  return { ...bases, chunks: [...found].map((path) => basename(path)) };
}

const cssOf = (outputFiles) => outputFiles.find(({ fileName }) => fileName.endsWith('.css')).fileName;

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

/** Compressed once by the build, not by every server at its start. */
function writeWithEncodings(path, contents) {
  if (existsSync(path) && existsSync(`${path}.br`)) return;
  writeWhole(path, contents);
  writeWhole(`${path}.gz`, gzipSync(contents, { level: 9 }));
  writeWhole(`${path}.br`, brotli(contents));
}

/** Writes a temporary file and renames it, so that builds in parallel never read a partial file. */
function writeWhole(path, contents) {
  writeFileSync(`${path}.${process.pid}`, contents);
  renameSync(`${path}.${process.pid}`, path);
}

function removeFormer(assets, files) {
  for (const name of readdirSync(assets)) {
    if (!files.has(name.replace(/\.(gz|br)$/, ''))) rmSync(join(assets, name), { force: true });
  }
}

function reportSize(assets, all, { main, theme, style, chunks }) {
  const compressed = (names) => names.reduce((sum, name) => sum + statSync(join(assets, `${name}.gz`)).size, 0);
  const scripts = compressed([main, theme, ...chunks]);
  const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} KB`;
  console.log(
    `console: first load ${kilobytes(scripts)} of scripts and ${kilobytes(compressed([style]))} of styles, by gzip; ` +
      `${kilobytes(compressed(all))} in all`,
  );
  if (scripts > mostInitialBytes) throw new Error(`the console loads ${kilobytes(scripts)} of scripts before it shows`);
}
