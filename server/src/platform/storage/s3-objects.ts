import type { Readable } from 'node:stream';
import type { S3Client, S3Stream } from './s3-client.ts';
import { slowAnswerMs } from './s3-client.ts';
import { readObject } from './s3-read.ts';
import type { S3Location } from './s3-url.ts';
import type { ByteRange } from './storage.ts';
import { childrenNamed, childText } from './xml.ts';

export interface FoundObject {
  readonly size: number;
  readonly etag: string;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  readonly modified: Date;
}

/** The objects of one bucket. */
export interface S3Objects {
  find(key: string): Promise<FoundObject | undefined>;
  put(key: string, bytes: Uint8Array | S3Stream, signal?: AbortSignal): Promise<void>;
  /** Fails if the object has changed since `etag`. */
  copy(from: string, etag: string, to: string): Promise<void>;
  read(key: string, range?: ByteRange): Promise<Readable | undefined>;
  remove(key: string): Promise<void>;
  list(prefix: string): AsyncIterable<ListedObject>;
  /** Checks that objects can be listed, stored, read in part and removed. */
  check(prefix: string): Promise<void>;
}

export function createS3Objects(client: S3Client, { bucket }: S3Location, pageLength?: number): S3Objects {
  const objects: S3Objects = {
    async find(key) {
      const { statusCode, headers, body } = await client.send({ method: 'HEAD', key }, [404]);
      await body.dump();
      if (statusCode === 404) return undefined;
      return { size: Number(headers['content-length']), etag: String(headers['etag']) };
    },
    async put(key, bytes, signal) {
      const { statusCode, headers, body } = await client.send({ method: 'PUT', key, body: bytes, signal });
      await body.dump();
      // A website or a sign-in page in place of the store: it has kept nothing.
      if (String(headers['content-type']).startsWith('text/html')) {
        throw client.fail(statusCode, 'answered with a web page: the address is not that of an object store');
      }
    },
    async copy(from, etag, to) {
      const headers = { 'x-amz-copy-source': `/${bucket}/${from}`, 'x-amz-copy-source-if-match': etag };
      await client.ask({ method: 'PUT', key: to, headers, answerWithinMs: slowAnswerMs });
    },
    read: (key, range) => readObject(client, key, range),
    async remove(key) {
      const answer = await client.send({ method: 'DELETE', key }, [404]);
      await answer.body.dump();
    },
    async *list(prefix) {
      let token: string | undefined = '';
      while (token !== undefined) {
        const query = {
          'list-type': '2',
          prefix,
          ...(pageLength === undefined ? {} : { 'max-keys': String(pageLength) }),
          ...(token && { 'continuation-token': token }),
        };
        const answer = await client.ask({ method: 'GET', query });
        for (const entry of childrenNamed(answer, 'Contents')) {
          yield {
            key: childText(entry, 'Key') ?? '',
            size: Number(childText(entry, 'Size')),
            modified: new Date(childText(entry, 'LastModified') ?? 0),
          };
        }
        const isTruncated = childText(answer, 'IsTruncated')?.trim() === 'true';
        token = isTruncated ? childText(answer, 'NextContinuationToken') || undefined : undefined;
      }
    },
    async check(prefix) {
      await client.ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1', prefix } });
      // Not a valid file name, so it cannot be mistaken for a file.
      const probe = `${prefix}.check`;
      await client.send({ method: 'PUT', key: probe, body: '..' }).then(({ body }) => body.dump());
      const part = await readObject(client, probe, { start: 1, end: 2 });
      part?.destroy();
      await objects.remove(probe);
    },
  };
  return objects;
}
