import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/*
 * An object store in memory that counts and dies on request, which a real one does not do. It is quick enough for
 * hundreds of uploads. That the storage works with a real store is tested with Ceph.
 */

export interface MemoryStore {
  readonly url: string;
  readonly counts: { requests: number; writtenBytes: number };
  /** The keys of all objects, and of unfinished uploads. */
  keys(): string[];
  /**
   * From now on this many requests are carried out, and none after them, as if the node had been killed. With
   * `isAnswerLost`, the last of them is carried out, but not answered.
   */
  dieAfter(requests: number, isAnswerLost?: boolean): void;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

const missing: Answer = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
const done: Answer = { status: 200 };
const etagOf = (bytes: Buffer): string => `"${bytes.length}"`;
const now = new Date().toISOString();

export async function startMemoryStore(): Promise<MemoryStore> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const counts = { requests: 0, writtenBytes: 0 };
  let left = Infinity;
  let isLastLost = false;

  function list(query: URLSearchParams): Answer {
    const prefix = query.get('prefix') ?? '';
    const found = [...objects]
      .filter(([key]) => key.startsWith(prefix))
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
    const items = found.map(
      ([key, { length }]) =>
        `<Contents><Key>${key}</Key><Size>${length}</Size><LastModified>${now}</LastModified></Contents>`,
    );
    const begun = [...uploads]
      .filter(([, { key }]) => query.has('uploads') && key.startsWith(prefix))
      .map(
        ([id, { key }]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${now}</Initiated></Upload>`,
      );
    return { status: 200, body: `<List>${query.has('uploads') ? begun.join('') : items.join('')}</List>` };
  }

  function answerUpload(method: string | undefined, id: string, query: URLSearchParams, body: Buffer): Answer {
    const upload = uploads.get(id);
    if (upload === undefined) return missing;
    if (method === 'PUT') upload.parts.set(Number(query.get('partNumber')), body);
    const parts = [...upload.parts].toSorted(([one], [other]) => one - other);
    if (method === 'GET') {
      const items = parts.map(
        ([number, bytes]) =>
          `<Part><PartNumber>${number}</PartNumber><Size>${bytes.length}</Size><ETag>${etagOf(bytes)}</ETag></Part>`,
      );
      return { status: 200, body: `<List>${items.join('')}</List>` };
    }
    if (method === 'POST') objects.set(upload.key, Buffer.concat(parts.map(([, bytes]) => bytes)));
    if (method !== 'PUT') uploads.delete(id);
    return { status: 200, body: '<Done/>' };
  }

  function read(key: string, range: string | undefined): Answer {
    const bytes = objects.get(key);
    if (bytes === undefined) return missing;
    const [from = 0, to = bytes.length - 1] = (range?.match(/\d+/g) ?? []).map(Number);
    const body = bytes.subarray(from, to + 1);
    const headers = { 'content-length': String(body.length), etag: etagOf(bytes) };
    return { status: range === undefined ? 200 : 206, headers, body };
  }

  function carryOut({ method, headers }: IncomingMessage, url: URL, body: Buffer): Answer {
    const key = url.pathname.replace(/^\/recordings\//, '');
    const id = url.searchParams.get('uploadId');
    if (id !== null) return answerUpload(method, id, url.searchParams, body);
    if (method === 'GET' && key === '') return list(url.searchParams);
    if (method === 'POST') {
      const created = randomUUID();
      uploads.set(created, { key, parts: new Map() });
      return { status: 200, body: `<Created><UploadId>${created}</UploadId></Created>` };
    }
    if (method === 'PUT') objects.set(key, body);
    else if (method === 'DELETE') objects.delete(key);
    else return read(key, headers.range);
    return done;
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request).catch(() => undefined);
    // A request that did not arrive whole changes nothing.
    if (left <= 0 || body === undefined) return void request.socket.destroy();
    left -= 1;
    counts.requests += 1;
    counts.writtenBytes += body.length;
    const { status, headers, body: answer } = carryOut(request, new URL(request.url ?? '/', 'http://x'), body);
    if (left === 0 && isLastLost) return void request.socket.destroy();
    response.writeHead(status, headers).end(request.method === 'HEAD' ? undefined : answer);
  };

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    url: `s3://recordings?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    keys: () => [...objects.keys(), ...[...uploads.values()].map(({ key }) => key)],
    dieAfter(requests, isAnswerLost = false) {
      [left, isLastLost] = [requests, isAnswerLost];
    },
  };
}
