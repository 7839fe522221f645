import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { ConsoleLook } from './console-look.ts';
import { readLook } from './console-look.ts';
import { loadDocs } from './docs/load-docs.ts';
import type { PageFile } from './page-file.ts';
import { isServed, pageFile, pageMadeOnRequest } from './page-file.ts';

/** The console's paths that every client gets as HTML; its other paths only browsers do. */
const consolePaths = ['/', '/setup', '/reset', '/acknowledge', '/confirm'];

export interface PageSources {
  /** The folder with the assets of the API page and the documentation. */
  readonly pagesDir: string;
  /** The folder with the built console. */
  readonly consoleDir: string;
  /** The folder with the documentation. */
  readonly docsDir: string;
  /** Makes the API page, which looks like the console. */
  readonly apiPage: (look: ConsoleLook) => string;
}

/** Reads all pages and assets once: they are few and small, and do not change while the server runs. */
export function loadPages({ pagesDir, consoleDir, docsDir, apiPage }: PageSources): readonly PageFile[] {
  const index = join(consoleDir, 'index.html');
  if (!existsSync(index)) throw new Error(`The console is not built (npm run build): ${index} is missing`);
  const look = readLook(readFileSync(index, 'utf8'));
  const assetsDir = join(consoleDir, 'assets');
  const assets = readdirSync(assetsDir).filter((name) => isServed(extname(name)));
  return [
    ...consolePaths.map((path) => pageFile(path, '.html', readFileSync(index))),
    ...assets.toSorted().map((name) => assetFile(assetsDir, name)),
    ...readdirSync(pagesDir)
      .toSorted()
      .map((name) => pageFile(`/pages/${name}`, extname(name), readFileSync(join(pagesDir, name)))),
    // In no folder, because it works for the pages of its own folder only.
    pageFile('/sw.js', '.js', readFileSync(join(pagesDir, 'sw.js'))),
    pageMadeOnRequest('/api', '.html', () => apiPage(look)),
    ...loadDocs(docsDir, look),
  ];
}

function assetFile(folder: string, name: string): PageFile {
  const path = join(folder, name);
  const encoded = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
  return { ...pageFile(`/assets/${name}`, extname(name), readFileSync(path)), encoded, immutable: true };
}
