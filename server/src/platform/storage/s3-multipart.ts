import type { S3Client, S3Stream } from './s3-client.ts';
import { slowAnswerMs } from './s3-client.ts';
import type { XmlElement } from './xml.ts';
import { childrenNamed, childText, encodeXml } from './xml.ts';

/*
 * The store itself holds an unfinished upload as numbered parts, so any node can continue it. All parts except the last
 * have a length that is computed from the size of the file, so the number of a part gives its offset.
 */

const leastPartBytes = 8 * 1024 * 1024;
const mostParts = 10_000;
const mebibyte = 1024 * 1024;

/** Smaller files are sent in one request. */
export const wholeBytes = leastPartBytes;

export const partBytes = (size: number): number =>
  Math.max(leastPartBytes, Math.ceil(size / mostParts / mebibyte) * mebibyte);

export interface StoredPart {
  readonly number: number;
  readonly size: number;
  readonly etag: string;
}

export interface StoredUpload {
  readonly key: string;
  readonly id: string;
  readonly initiated: Date;
}

export interface Multipart {
  /** All uploads of that key: one, unless two nodes started at the same time. */
  all(key: string): Promise<StoredUpload[]>;
  /** Creates an upload, or finds the one that another node has created meanwhile. */
  create(key: string): Promise<StoredUpload>;
  /** The complete parts in an unbroken sequence from the first one. */
  parts(upload: StoredUpload, size: number): Promise<StoredPart[]>;
  sendPart(upload: StoredUpload, part: number, stream: S3Stream, signal?: AbortSignal): Promise<void>;
  complete(upload: StoredUpload, parts: readonly StoredPart[]): Promise<void>;
  abort(upload: StoredUpload): Promise<void>;
  /** All uploads whose key starts with the prefix. */
  list(prefix: string): AsyncIterable<StoredUpload>;
}

/** `pageLength`: how many list entries to request at once; the store's default if undefined. */
export function createMultipart(client: S3Client, pageLength?: number): Multipart {
  const page = (name: string) => (pageLength === undefined ? {} : { [name]: String(pageLength) });

  async function* list(prefix: string): AsyncGenerator<StoredUpload> {
    let markers: Record<string, string> | undefined = {};
    while (markers) {
      const query = { uploads: '', prefix, ...page('max-uploads'), ...markers };
      const answer = await client.ask({ method: 'GET', query });
      yield* childrenNamed(answer, 'Upload').map(readUpload);
      const key = childText(answer, 'NextKeyMarker') ?? '';
      const id = childText(answer, 'NextUploadIdMarker') ?? '';
      markers = isTruncated(answer) && key !== '' ? { 'key-marker': key, 'upload-id-marker': id } : undefined;
    }
  }

  const all = async (key: string): Promise<StoredUpload[]> => {
    const found: StoredUpload[] = [];
    for await (const upload of list(key)) if (upload.key === key) found.push(upload);
    return found.toSorted(inOrder);
  };

  return {
    all,
    async create(key) {
      const answer = await client.ask({ method: 'POST', key, query: { uploads: '' } });
      const id = childText(answer, 'UploadId') ?? '';
      // Looked up again, because another node may have started one at the same time, and all must continue the same
      // one.
      return (await all(key))[0] ?? { key, id, initiated: new Date() };
    },
    async parts(upload, size) {
      const found = new Map<number, StoredPart>();
      let marker: string | undefined = '';
      while (marker !== undefined) {
        const query = { uploadId: upload.id, ...page('max-parts'), ...(marker && { 'part-number-marker': marker }) };
        const answer = await client.ask({ method: 'GET', key: upload.key, query });
        for (const part of childrenNamed(answer, 'Part').map(readPart)) found.set(part.number, part);
        marker = isTruncated(answer) ? childText(answer, 'NextPartNumberMarker') || undefined : undefined;
      }
      return completeFromFirst(found, size);
    },
    async sendPart(upload, part, stream, signal) {
      const query = { partNumber: String(part), uploadId: upload.id };
      const answer = await client.send({ method: 'PUT', key: upload.key, query, body: stream, signal });
      await answer.body.dump();
    },
    async complete(upload, parts) {
      const items = parts.map(
        ({ number, etag }) => `<Part><PartNumber>${number}</PartNumber><ETag>${encodeXml(etag)}</ETag></Part>`,
      );
      const body = `<CompleteMultipartUpload>${items.join('')}</CompleteMultipartUpload>`;
      await client.ask({
        method: 'POST',
        key: upload.key,
        query: { uploadId: upload.id },
        headers: { 'content-type': 'application/xml' },
        body,
        answerWithinMs: slowAnswerMs,
      });
    },
    async abort({ key, id }) {
      const answer = await client.send({ method: 'DELETE', key, query: { uploadId: id } }, [404]);
      await answer.body.dump();
    },
    list,
  };
}

const isTruncated = (answer: XmlElement): boolean => childText(answer, 'IsTruncated')?.trim() === 'true';

const readUpload = (element: XmlElement): StoredUpload => ({
  key: childText(element, 'Key') ?? '',
  id: childText(element, 'UploadId') ?? '',
  initiated: new Date(childText(element, 'Initiated') ?? 0),
});

const readPart = (element: XmlElement): StoredPart => ({
  number: Number(childText(element, 'PartNumber')),
  size: Number(childText(element, 'Size')),
  etag: childText(element, 'ETag') ?? '',
});

/** The oldest first, with a stable order for equal times. */
const inOrder = (one: StoredUpload, other: StoredUpload): number =>
  one.initiated.getTime() - other.initiated.getTime() || (one.id < other.id ? -1 : 1);

function completeFromFirst(found: ReadonlyMap<number, StoredPart>, size: number): StoredPart[] {
  const length = partBytes(size);
  const parts: StoredPart[] = [];
  for (let number = 1; (number - 1) * length < size; number += 1) {
    const part = found.get(number);
    if (part?.size !== Math.min(length, size - (number - 1) * length)) break;
    parts.push(part);
  }
  return parts;
}
