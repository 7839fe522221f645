import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** A page or a part of one, ready to be sent. */
export interface PageFile {
  readonly path: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** With its quotes, as the header has it. */
  readonly etag: string;
}

const pages: Readonly<Record<string, string>> = {
  'home.html': '/',
  'setup.html': '/setup',
  'reset.html': '/reset',
};

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads every page and asset once: they are few and small, and do not change while the server runs. */
export function loadPages(pagesDir: string, apiPage: string): readonly PageFile[] {
  const names = readdirSync(pagesDir).toSorted();
  for (const page of Object.keys(pages)) {
    if (!names.includes(page)) throw new Error(`The page ${page} is missing in ${pagesDir}`);
  }
  const files = names.map((name) =>
    pageFile(pages[name] ?? `/pages/${name}`, extname(name), readFileSync(join(pagesDir, name))),
  );
  return [...files, pageFile('/api', '.html', Buffer.from(apiPage))];
}

function pageFile(path: string, extension: string, body: Buffer): PageFile {
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new Error(`There is no content type for ${path}`);
  return { path, contentType, body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
