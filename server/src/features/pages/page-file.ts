import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
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

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.woff2': 'font/woff2',
};

export const isServed = (extension: string): boolean => contentTypes[extension] !== undefined;

function contentTypeOf(path: string, extension: string): string {
  const contentType = contentTypes[extension];
  if (contentType === undefined) throw new Error(`There is no content type for ${path}`);
  return contentType;
}

export function pageFile(path: string, extension: string, body: Buffer): PageFile {
  const contentType = contentTypeOf(path, extension);
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  return { path, contentType, body, encoded: {}, etag, immutable: false };
}

/** Made and compressed when it is first requested: it takes some time, and most nodes serve it never or once. */
export function pageMadeOnRequest(path: string, extension: string, make: () => string | Buffer): PageFile {
  const made = makeOnce(() => pageFile(path, extension, Buffer.from(make())));
  const encoded = makeOnce(() => (extension === '.png' ? {} : { gzip: gzipSync(made().body) }));
  return {
    path,
    contentType: contentTypeOf(path, extension),
    immutable: false,
    get body() {
      return made().body;
    },
    get encoded() {
      return encoded();
    },
    get etag() {
      return made().etag;
    },
  };
}
