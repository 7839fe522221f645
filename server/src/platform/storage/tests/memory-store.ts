import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

/*
 * An object store in memory that counts requests and copies what it holds, which a real one does not do. It is quick
 * enough for hundreds of uploads. That the storage works with a real store is tested with Ceph.
 */

export interface MemoryStore {
  readonly url: string;
  readonly counts: { requests: number; writtenBytes: number };
  /** The keys of all objects, and of unfinished uploads. */
  keys(): string[];
  /** What the store holds now, for another store to begin with. */
  copy(): Contents;
  /** Calls it before each request that changes what the store holds. */
  beforeChange(call: () => void): void;
}

interface Upload {
  readonly key: string;
  readonly parts: Map<number, Buffer>;
}

/** Objects by key, and unfinished uploads by ID. Their bytes never change, so copies share them. */
export interface Contents {
  readonly objects: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
}

const copyOf = ({ objects, uploads }: Contents): Contents => ({
  objects: new Map(objects),
  uploads: new Map([...uploads].map(([id, { key, parts }]) => [id, { key, parts: new Map(parts) }])),
});

const isChange = (method: string | undefined): boolean => method !== 'GET' && method !== 'HEAD';

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

const missing: Answer = { status: 404, body: '<Error><Code>NoSuchKey</Code></Error>' };
const done: Answer = { status: 200 };
const etagOf = (bytes: Buffer): string => `"${bytes.length}"`;
const now = new Date().toISOString();

export async function startMemoryStore(
  contents: Contents = { objects: new Map(), uploads: new Map() },
): Promise<MemoryStore> {
  const { objects, uploads } = copyOf(contents);
  const counts = { requests: 0, writtenBytes: 0 };
  let noteChange = () => {};

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
    if (range === undefined) return { status: 200, headers, body };
    const part = `bytes ${from}-${from + body.length - 1}/${bytes.length}`;
    return { status: 206, headers: { ...headers, 'content-range': part }, body };
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
    if (body === undefined) return void request.socket.destroy();
    counts.requests += 1;
    counts.writtenBytes += body.length;
    if (isChange(request.method)) noteChange();
    const { status, headers, body: answer } = carryOut(request, new URL(request.url ?? '/', 'http://x'), body);
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
    copy: () => copyOf({ objects, uploads }),
    beforeChange(call) {
      noteChange = call;
    },
  };
}
