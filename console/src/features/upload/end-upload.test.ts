import { afterEach, expect, test, vi } from 'vitest';
import { endOwnUpload } from './end-upload.ts';

/* A server with one upload; `lose` drops the response to a request that it has carried out. */
function serveUpload(upload: { clip?: { id: number; result: string } } | undefined) {
  const server = { upload, lose: '' };
  vi.stubGlobal('fetch', async (_input: string, { method = 'GET' }: RequestInit) => {
    const { upload: found } = server;
    const headers: Record<string, string> = found?.clip
      ? { 'earshot-clip-id': String(found.clip.id), 'earshot-clip-result': found.clip.result }
      : {};
    if (method === 'DELETE') server.upload = undefined;
    if (method === server.lose) throw new TypeError('fetch failed');
    return new Response(null, { status: found ? 204 : 404, headers });
  });
  return server;
}
afterEach(() => vi.unstubAllGlobals());

test('the clip of a finished upload is found again after any response was lost', async () => {
  const server = serveUpload({ clip: { id: 7, result: 'created' } });
  for (const lose of ['HEAD', 'DELETE']) {
    server.lose = lose;
    await endOwnUpload('/v1/upload/1').catch(() => {});
  }
  server.lose = '';
  expect(await endOwnUpload('/v1/upload/1')).toBe(7);
});

test('a clip that the upload did not create is nobody’s to remove', async () => {
  for (const result of ['completed', 'existing']) {
    serveUpload({ clip: { id: 7, result } });
    expect(await endOwnUpload('/v1/upload/1')).toBeUndefined();
  }
});

test('an open upload is ended; one that is gone needs nothing', async () => {
  const server = serveUpload({});
  expect(await endOwnUpload('/v1/upload/1')).toBeUndefined();
  expect(server.upload).toBeUndefined();
  expect(await endOwnUpload('/v1/upload/1')).toBeUndefined();
});
