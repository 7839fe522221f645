import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { loadPages } from './files.ts';

const pagesDir = fileURLToPath(new URL('../../../pages', import.meta.url));
const files = loadPages(pagesDir, '<!doctype html><title>API</title>');
const paths = files.map(({ path }) => path);
const textOf = (path: string) => files.find((file) => file.path === path)!.body.toString();
const pages = ['/', '/setup', '/reset'];
const scripts = paths.filter((path) => path.endsWith('.js'));

describe('the files of the pages', () => {
  test('are the pages and their parts, each with its content type', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['/', '/setup', '/reset', '/api', '/pages/style.css', '/pages/logo.svg']),
    );
    const types = Object.fromEntries(files.map(({ path, contentType }) => [path, contentType]));
    expect(types).toMatchObject({
      '/': 'text/html; charset=utf-8',
      '/api': 'text/html; charset=utf-8',
      '/pages/style.css': 'text/css; charset=utf-8',
      '/pages/home.js': 'text/javascript; charset=utf-8',
      '/pages/logo.svg': 'image/svg+xml',
    });
    expect(textOf('/api')).toContain('<title>API</title>');
  });

  test('have a tag that changes with the content', () => {
    const tagOf = (apiPage: string) => loadPages(pagesDir, apiPage).find(({ path }) => path === '/api')!.etag;
    expect(tagOf('one')).toMatch(/^"[\w-]+"$/);
    expect(tagOf('one')).toBe(tagOf('one'));
    expect(tagOf('one')).not.toBe(tagOf('other'));
  });

  describe('in a folder that is not as it should be', () => {
    const folder = mkdtempSync(join(tmpdir(), 'earshot-pages-'));
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test('are refused before the server starts', () => {
      expect(() => loadPages(folder, '')).toThrow('home.html');
      for (const name of ['home.html', 'setup.html', 'reset.html', 'notes.xyz']) writeFileSync(join(folder, name), '');
      expect(() => loadPages(folder, '')).toThrow('notes.xyz');
    });
  });
});

describe.each(pages)('the page %s', (path) => {
  const text = textOf(path);

  test('has what every page has', () => {
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<title>.+ · Earshot<\/title>/);
    expect(text).toContain('name="viewport"');
    expect(text).toMatch(/<a class="skip" href="#main">[^]*<main id="main"/);
  });

  test('keeps to the content security policy', () => {
    expect(text).not.toMatch(/<style|style=|<script(?! type="module" src="\/pages\/)| on[a-z]+=/);
  });

  test('loads only what is there', () => {
    const addresses = [...text.matchAll(/ (?:src|href)="([^"#]+)"/g)].map(([, address]) => address!);
    for (const address of addresses) expect(paths).toContain(address);
  });

  test('labels every field and says where its problem will stand', () => {
    for (const [input, id] of text.matchAll(/<input id="([^"]+)"[^>]*>/g)) {
      expect(text).toContain(`<label for="${id}">`);
      expect(input).toContain(`${id}-problem`);
      expect(text).toContain(`id="${id}-problem"`);
    }
  });
});

describe('the scripts', () => {
  test('never make markup of data', () => {
    for (const path of scripts)
      expect(textOf(path)).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/);
  });

  test('find every part of the page that they ask for', () => {
    const ids = (page: string) => new Set([...textOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const askedFor = (name: string) =>
      [...textOf(`/pages/${name}.js`).matchAll(/part\('([^']+)'\)/g)].map(([, id]) => id);
    const sources = {
      '/': ['home', 'devices', 'api-keys', 'page'],
      '/setup': ['setup', 'link-token'],
      '/reset': ['reset', 'link-token'],
    };
    for (const [page, names] of Object.entries(sources)) {
      const missing = names.flatMap(askedFor).filter((id) => !ids(page).has(id));
      expect([page, missing]).toEqual([page, []]);
    }
  });

  test('are well typed', { timeout: 60_000 }, () => {
    const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
    const options =
      '--ignoreConfig --noEmit --allowJs --checkJs --strict --noUncheckedIndexedAccess ' +
      '--target es2023 --module esnext --moduleResolution bundler --lib es2023,dom,dom.iterable --types';
    const sources = scripts.map((path) => join(pagesDir, path.replace('/pages/', '')));
    const check = () =>
      execFileSync(process.execPath, [join(typescript, 'bin', 'tsc'), ...options.split(' '), '', ...sources], {
        encoding: 'utf8',
      });
    expect(check()).toBe('');
  });
});
