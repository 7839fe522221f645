import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { PageFile } from '../page-file.ts';
import { loadDocs, missingAddress } from './load-docs.ts';
import type { SearchEntry } from './search-index.ts';

const look = { style: '/assets/style-1.css', themeScript: '/assets/theme-1.js' };

function makeDocs(files: Readonly<Record<string, string>>): (path: string) => PageFile | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-docs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const pages = loadDocs(folder, look);
  return (path) => pages.find((page) => page.path === path);
}

const example = {
  'README.md':
    '# Home\n\n## Start\n\n- [First](first.md): one\n- [Notes](notes/README.md)\n\n## More\n\n- [Last](last.md)',
  'first.md':
    '# First <page>\n\nSee [it](notes/b.md#x), [code](../server/x.ts), [all](notes/), ![pic](p.png).\n\n## One\n\ntext\n\n## Two',
  'notes/README.md': '# Notes\n\n- [A](a.md)\n- [B](b.md)',
  'notes/a.md': '# A',
  'notes/b.md': '# B\n\n[up](../first.md)',
  'last.md': '# Last',
  'p.png': 'png',
};

const textAt = (find: (path: string) => PageFile | undefined, path: string): string => find(path)!.body.toString();

describe('the documentation as a site', () => {
  test('has a page for each file, the file itself, images and the index of the search', () => {
    const find = makeDocs(example);
    const types = [
      '/docs/',
      '/docs/first',
      '/docs/notes/',
      '/docs/notes/b',
      '/docs/first.md',
      '/docs/p.png',
      '/docs/search.json',
    ].map((path) => find(path)?.contentType.split(';')[0]);
    expect(types).toEqual([
      'text/html',
      'text/html',
      'text/html',
      'text/html',
      'text/markdown',
      'image/png',
      'application/json',
    ]);
    expect(textAt(find, '/docs/first.md')).toBe(example['first.md']);
    expect(gunzipSync(find('/docs/first')!.encoded.gzip!).equals(find('/docs/first')!.body)).toBe(true);
    expect(find('/docs/p.png')!.encoded).toEqual({});
  });

  test('links pages to each other, and files outside of it to nothing', () => {
    const find = makeDocs(example);
    const page = textAt(find, '/docs/first');
    expect(page).toContain('<a href="/docs/notes/b#x">it</a>');
    expect(page).toContain('<a href="/docs/notes/">all</a>');
    expect(page).toContain('<img src="/docs/p.png" alt="pic" />');
    expect(page).toContain(', code,');
    expect(textAt(find, '/docs/notes/b')).toContain('<a href="/docs/first">up</a>');
    expect(page).toContain('<title>First &lt;page&gt; · ');
  });

  test('has a side bar, the headings of the page, and the pages before and after it', () => {
    const find = makeDocs(example);
    const page = textAt(find, '/docs/first');
    expect(page).toMatch(/href="\/docs\/first"\s+aria-current="page"/);
    expect(page).toContain('<a href="#two">Two</a>');
    expect(page).toContain('<a href="/api">API reference</a>');
    expect(page).not.toContain('href="/docs/notes/a"');
    const inner = textAt(find, '/docs/notes/a');
    expect(inner).toContain('href="/docs/notes/b"');
    expect(inner).toMatch(/class="before" href="\/docs\/notes\/"/);
    expect(inner).toMatch(/class="after" href="\/docs\/notes\/b"/);
    expect(textAt(find, '/docs/last')).not.toContain('class="after"');
  });

  test('follows the content security policy, and loads nothing from elsewhere', () => {
    const find = makeDocs(example);
    for (const path of ['/docs/', '/docs/first', missingAddress]) {
      const page = textAt(find, path);
      expect(page).not.toMatch(/<style|style="|<script(?![^>]* src="\/(pages|assets)\/)| on[a-z]+="/);
      for (const [, address] of page.matchAll(/ (?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^(#|\/(?!\/))/);
    }
  });

  test('is searched by headings with the text below them', () => {
    const entries = JSON.parse(textAt(makeDocs(example), '/docs/search.json')) as SearchEntry[];
    expect(entries).toContainEqual({ address: '/docs/first#one', title: 'First <page>', heading: 'One', text: 'text' });
    expect(entries.map(({ address }) => address.replace('/docs/', '')).join(' ')).toBe(
      ' #start #more first first#one first#two notes/ notes/a notes/b last',
    );
  });

  test('is not there without its folder', () => {
    expect(loadDocs('/nowhere', look)).toEqual([]);
  });
});

test('no page of this project links to a missing page or heading', () => {
  const pages = loadDocs(fileURLToPath(new URL('../../../../../docs', import.meta.url)), look);
  const html = pages.filter(({ contentType, path }) => contentType.startsWith('text/html') && path !== missingAddress);
  const idsOf = new Map(
    html.map(({ path, body }) => [path, new Set([...body.toString().matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const missing = html.flatMap(({ path, body }) =>
    [...body.toString().matchAll(/ href="(\/docs\/[^"]*|#[^"]*)"/g)]
      .filter(([, href]) => {
        const [target = '', id] = href!.split('#');
        const ids = idsOf.get(target || path);
        if (!ids) return !pages.some((page) => page.path === target);
        return id !== undefined && !ids.has(id);
      })
      .map(([, href]) => `${path}: ${href}`),
  );
  expect(missing).toEqual([]);
  expect(html.length).toBeGreaterThan(50);
});
