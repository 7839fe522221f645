import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { makeOnce } from '../../platform/make-once.ts';

export type Encoding = 'br' | 'gzip';

/** A page or asset, ready to be sent. */
export interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The same, compressed in advance. */
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
  /** With quotes, as in the header. */
  readonly etag: string;
  /** Its name changes with its content, so browsers may cache it permanently. */
  readonly immutable: boolean;
}

/** The console's paths that every client gets as HTML; its other paths only browsers do. */
const consolePaths = ['/', '/setup', '/reset'];

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageSources {
  /** The folder with the assets of the API page. */
  readonly pagesDir: string;
  /** The folder with the built console. */
  readonly consoleDir: string;
  /** Makes the API page, which looks like the console. */
  readonly apiPage: (look: ConsoleLook) => string;
}

/** The addresses of the files that give a page the look of the console. */
export interface ConsoleLook {
  readonly style: string;
  /** Applies the chosen theme before the first paint. */
  readonly themeScript: string;
}

/** Reads them from the page of the console, because their names change with their content. */
export function readLook(page: string): ConsoleLook {
  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1];
  const themeScript = /<script src="([^"]+)"/.exec(page)?.[1];
  if (!style || !themeScript) throw new Error('The page of the console names no style or no theme script');
  return { style, themeScript };
}

/** Reads all pages and assets once: they are few and small, and do not change while the server runs. */
export function loadPages({ pagesDir, consoleDir, apiPage }: PageSources): readonly PageFile[] {
  const index = join(consoleDir, 'index.html');
  if (!existsSync(index)) throw new Error(`The console is not built (npm run build): ${index} is missing`);
  const assetsDir = join(consoleDir, 'assets');
  const assets = readdirSync(assetsDir).filter((name) => contentTypes[extname(name)] !== undefined);
  return [
    ...consolePaths.map((path) => pageFile(path, '.html', readFileSync(index))),
    ...assets.toSorted().map((name) => assetFile(assetsDir, name)),
    ...readdirSync(pagesDir)
      .toSorted()
      .map((name) => pageFile(`/pages/${name}`, extname(name), readFileSync(join(pagesDir, name)))),
    pageMadeOnRequest('/api', apiPage, readLook(readFileSync(index, 'utf8'))),
  ];
}

/** Made when it is first requested: it takes a tenth of a second, and most nodes serve it never or once. */
function pageMadeOnRequest(path: string, apiPage: PageSources['apiPage'], look: ConsoleLook): PageFile {
  const made = makeOnce(() => pageFile(path, '.html', Buffer.from(apiPage(look))));
  return {
    path,
    contentType: contentTypes['.html']!,
    encoded: {},
    immutable: false,
    get body() {
      return made().body;
    },
    get etag() {
      return made().etag;
    },
  };
}

function assetFile(folder: string, name: string): PageFile {
  const path = join(folder, name);
  const encoded = { br: readFileSync(`${path}.br`), gzip: readFileSync(`${path}.gz`) };
  return { ...pageFile(`/assets/${name}`, extname(name), readFileSync(path)), encoded, immutable: true };
}

function pageFile(path: string, extension: string, body: Buffer): PageFile {
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new Error(`There is no content type for ${path}`);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { path, contentType, body, encoded: {}, etag, immutable: false };
}
