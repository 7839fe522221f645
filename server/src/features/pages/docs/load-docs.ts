import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { makeOnce } from '../../../platform/make-once.ts';
import type { ConsoleLook } from '../console-look.ts';
import type { PageFile } from '../page-file.ts';
import { pageMadeOnRequest } from '../page-file.ts';
import { readBlocks } from '../markdown/blocks.ts';
import { pageAddress, docsAddress, indexPath } from './addresses.ts';
import { readingOrder, readContents } from './contents.ts';
import { renderDocsPage } from './page.ts';
import { indexPage } from './search-index.ts';

/** Answered with 404; its own address is never linked. */
export const missingAddress = `${docsAddress}404`;

const missingText = `# Page not found

The documentation has no page at this address. Search for it, or go on from [the first page](README.md).`;

/**
 * The documentation as a site, made from the Markdown files of a folder. A page is made when it is first requested, so that
 * nothing has to be built and a start takes no longer. Without the folder there is no site.
 */
export function loadDocs(docsDir: string, look: ConsoleLook): readonly PageFile[] {
  if (!existsSync(join(docsDir, indexPath))) return [];
  const files = readdirSync(docsDir, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll(sep, '/'));
  const pages = files.filter((name) => extname(name) === '.md');
  const images = files.filter((name) => extname(name) === '.png');
  const readPage = (path: string): string => readFileSync(join(docsDir, path), 'utf8');
  const frame = makeOnce(() => ({ look, sections: readContents(readPage), paths: new Set(files) }));
  const order = () => [indexPath, ...readingOrder(frame().sections).map(({ path }) => path)];
  return [
    ...pages.flatMap((path) => [
      pageMadeOnRequest(pageAddress(path), '.html', () => renderDocsPage({ path, text: readPage(path) }, frame())),
      pageMadeOnRequest(docsAddress + path, '.md', () => readPage(path)),
    ]),
    ...images.map((path) => pageMadeOnRequest(docsAddress + path, '.png', () => readFileSync(join(docsDir, path)))),
    pageMadeOnRequest(`${docsAddress}search.json`, '.json', () =>
      JSON.stringify(order().flatMap((path) => indexPage(pageAddress(path), readBlocks(readPage(path))))),
    ),
    pageMadeOnRequest(missingAddress, '.html', () => renderDocsPage({ path: undefined, text: missingText }, frame())),
  ];
}
