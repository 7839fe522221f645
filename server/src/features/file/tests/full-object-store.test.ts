import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { announce, download, finish, putWhole } from './uploading.ts';

interface ObjectStore {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** The response to requests that need space; undefined: they are accepted. */
  refusal: { readonly status: number; readonly code: string } | undefined;
}

/** The whole object, or the part that is asked for. */
function sendBytes({ headers: { range } }: IncomingMessage, response: ServerResponse, whole: Buffer): void {
  const [from = 0, to = whole.length - 1] = (range?.match(/\d+/g) ?? []).map(Number);
  const bytes = whole.subarray(from, to + 1);
  const part = range === undefined ? {} : { 'content-range': `bytes ${from}-${to}/${whole.length}` };
  response
    .writeHead(range === undefined ? 200 : 206, { 'content-length': bytes.length, etag: '"a"', ...part })
    .end(bytes);
}

/** An in-memory S3 server for files of up to 8 MB, which can report that it is full. */
async function startObjectStore(): Promise<ObjectStore> {
  const store: ObjectStore = { url: '', objects: new Map(), refusal: undefined };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const key = new URL(request.url ?? '/', 'http://x').pathname;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const found = store.objects.get(key);
    if (request.method === 'PUT' && store.refusal) {
      response.writeHead(store.refusal.status).end(`<Error><Code>${store.refusal.code}</Code></Error>`);
    } else if (request.method === 'PUT') {
      store.objects.set(key, Buffer.concat(chunks));
      response.writeHead(200).end();
    } else if (request.method === 'DELETE') {
      store.objects.delete(key);
      response.writeHead(204).end();
    } else if (request.url?.includes('?')) {
      response.writeHead(200).end('<List/>');
    } else if (found === undefined) response.writeHead(404).end();
    else sendBytes(request, response, found);
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return Object.assign(store, {
    url: `s3://recordings?endpoint=http://127.0.0.1:${(server.address() as AddressInfo).port}&style=path`,
  });
}

test.each([
  { status: 507, code: 'XMinioStorageFull' },
  { status: 403, code: 'QuotaExceeded' },
])(
  'an object store that responds with $status $code is reported as full until it accepts objects again',
  async (refusal) => {
    const store = await startObjectStore();
    const server = await startTestServer({ storage: { url: store.url, accessKey: 'a', secretKey: 'b' } });
    onTestFinished(() => server.stop());
    const bytes = randomBytes(10_000);
    const waiting = await announce(server.admin, bytes);
    const readiness = () => fetch(new URL('/readyz', server.url));
    expect((await readiness()).status).toBe(200);

    store.refusal = refusal;
    for (let round = 0; round < 5; round += 1) {
      const answer = await putWhole(waiting.url, bytes);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
      expect(await answer.json()).toMatchObject({ detail: expect.stringMatching(/^The storage is full/) });
    }
    await vi.waitUntil(async () => (await readiness()).status === 503);
    const { detail } = (await (await readiness()).json()) as { detail: string };
    expect(detail).toContain(`(bucket recordings) is full`);
    expect(detail).toContain(refusal.code);

    store.refusal = undefined;
    await vi.waitUntil(async () => (await readiness()).status === 200, { interval: 100 });
    expect((await putWhole(waiting.url, bytes)).status).toBe(200);
    expect((await finish(server.admin, waiting)).fileStatus).toBe(1);
    expect((await download(server.admin, waiting)).equals(bytes)).toBe(true);
    const lines = server.log.lines.filter(({ message }) => message.startsWith('writes '));
    expect(lines.map(({ level }) => level)).toEqual(['error', 'info']);
  },
);
