import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { ConsoleLook } from './console-look.ts';
import { readLook } from './console-look.ts';
import { loadPages } from './files.ts';

const folder = (name: string) => fileURLToPath(new URL(`../../../../${name}`, import.meta.url));
const pagesDir = folder('server/pages');
const consoleDir = folder('console/dist');
const docsDir = folder('docs');
const load = (apiPage = '<!doctype html><title>API</title>') =>
  loadPages({ pagesDir, consoleDir, docsDir, apiPage: () => apiPage });
const files = load();
const paths = files.map(({ path }) => path);
const fileAt = (path: string) => files.find((file) => file.path === path)!;
const textOf = (path: string) => fileAt(path).body.toString();

describe('the files of the pages', () => {
  test('are the console, the API page and their parts, each with its content type', () => {
    const types = Object.fromEntries(files.map(({ path, contentType }) => [path, contentType]));
    expect(types).toMatchObject({
      '/': 'text/html; charset=utf-8',
      '/setup': 'text/html; charset=utf-8',
      '/reset': 'text/html; charset=utf-8',
      '/acknowledge': 'text/html; charset=utf-8',
      '/confirm': 'text/html; charset=utf-8',
      '/api': 'text/html; charset=utf-8',
      '/pages/style.css': 'text/css; charset=utf-8',
      '/pages/api.js': 'text/javascript; charset=utf-8',
      '/pages/logo.svg': 'image/svg+xml',
    });
    expect(textOf('/api')).toContain('<title>API</title>');
  });

  test('give the API page the look of the console: its stylesheet and its theme', () => {
    const page = loadPages({ pagesDir, consoleDir, docsDir, apiPage: JSON.stringify }).find(
      ({ path }) => path === '/api',
    );
    const { style, themeScript } = JSON.parse(page!.body.toString()) as ConsoleLook;
    expect(style).toMatch(/^\/assets\/[a-z]+-.*\.css$/);
    expect(themeScript).toMatch(/^\/assets\/theme-.*\.js$/);
    expect(paths).toEqual(expect.arrayContaining([style, themeScript]));
    expect(() => readLook('<!doctype html>')).toThrow('names no style');
    // Colours are declared once, in the console.
    expect(textOf('/pages/style.css')).not.toMatch(/#[0-9a-f]{3,6}\b|prefers-color-scheme|font-family/);
  });

  test('do not include the API page until it is requested; then it is made once', () => {
    let made = 0;
    const apiPage = () => `<!doctype html><title>${(made += 1)}</title>`;
    const page = loadPages({ pagesDir, consoleDir, docsDir, apiPage }).find(({ path }) => path === '/api')!;
    expect(made).toBe(0);
    const [etag, text] = [page.etag, page.body.toString()];
    expect(text).toContain('<title>1</title>');
    expect([page.etag, page.body.toString()]).toEqual([etag, text]);
    expect(made).toBe(1);
  });

  test('have an ETag that changes with the content', () => {
    const tagOf = (apiPage: string) => load(apiPage).find(({ path }) => path === '/api')!.etag;
    expect(tagOf('one')).toMatch(/^"[\w-]+"$/);
    expect(tagOf('one')).toBe(tagOf('one'));
    expect(tagOf('one')).not.toBe(tagOf('other'));
  });

  test('are compressed in advance and cached as immutable if their name has a content hash', () => {
    const assets = files.filter(({ path }) => path.startsWith('/assets/'));
    expect(assets.length).toBeGreaterThan(3);
    for (const { path, body, encoded, immutable } of assets) {
      expect(path).toMatch(/-[\w-]{8}\.(js|css|woff2)$/);
      expect(immutable).toBe(true);
      // Not by `toEqual`, which takes seconds for these many bytes.
      expect(brotliDecompressSync(encoded.br!).equals(body), path).toBe(true);
      expect(gunzipSync(encoded.gzip!).equals(body), path).toBe(true);
    }
    expect(files.filter(({ path }) => !path.startsWith('/assets/')).map(({ immutable }) => immutable)).not.toContain(
      true,
    );
  });

  describe('with a missing or unknown file', () => {
    const empty = mkdtempSync(join(tmpdir(), 'earshot-pages-'));
    afterEach(() => rmSync(empty, { recursive: true, force: true }));

    test('loading fails before the server starts', () => {
      expect(() => loadPages({ pagesDir, consoleDir: empty, docsDir, apiPage: () => '' })).toThrow('npm run build');
      mkdirSync(empty, { recursive: true });
      writeFileSync(join(empty, 'notes.xyz'), '');
      expect(() => loadPages({ pagesDir: empty, consoleDir, docsDir, apiPage: () => '' })).toThrow('notes.xyz');
    });
  });
});

describe('the console page', () => {
  const text = textOf('/');

  test('follows the content security policy', () => {
    expect(text).not.toMatch(/<style|style=|<script(?!( type="module")? src="\/assets\/)| on[a-z]+=/);
  });

  test('loads only existing files', () => {
    const addresses = [...text.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(3);
    for (const address of addresses) expect(paths).toContain(address);
  });

  test('shows a message if scripts are disabled', () => {
    expect(text).toContain('<html lang="en">');
    expect(text).toContain('name="viewport"');
    expect(text).toMatch(/<noscript>[^]*JavaScript[^]*<\/noscript>/);
  });
});

describe('the scripts', () => {
  const ofFolder = (path: string) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|js)$/.test(name))
      .map((name) => join(path, name));
  const sources = [...ofFolder(pagesDir), ...ofFolder(folder('console/src'))];

  test('never insert data as markup', () => {
    const making = /innerHTML|outerHTML|insertAdjacentHTML|document\.write|setHTML|DOMParser|createContextualFragment/;
    expect(sources.filter((path) => making.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  test('of the console contain no schema and no server code', () => {
    const built = files.filter(({ path }) => /^\/assets\/.*\.js$/.test(path)).map(({ body }) => body.toString());
    for (const text of built) expect(text).not.toMatch(/~kind|typebox|fastify/);
  });

  test('of the API page pass the type check', () => {
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const options =
      '--ignoreConfig --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess ' +
      '--target es2023 --module esnext --moduleResolution bundler --types';
    const check = (lib: string, checked: readonly string[]) =>
      execFileSync(
        process.execPath,
        [join(typescript, 'bin', 'tsc'), ...options.split(' '), '', '--lib', lib, ...checked],
        { encoding: 'utf8' },
      );
    const isWorker = (path: string) => path.endsWith('sw.js');
    const scripts = ofFolder(pagesDir);
    const ofPages = scripts.filter((path) => !isWorker(path));
    expect(check('es2023,dom,dom.iterable', ofPages)).toBe('');
    expect(check('es2023,webworker', scripts.filter(isWorker))).toBe('');
  });
});
