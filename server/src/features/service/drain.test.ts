import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';

test('a stopping node says that it is not ready, and serves requests until the drain ends', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const node = await server.addNode({ drainSeconds: 2 });
  const read = (path: string) => fetch(new URL(path, node.url));
  expect((await read('/readyz')).status).toBe(200);

  const stopped = node.stop();
  const answer = await read('/readyz');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await answer.json()).toMatchObject({ detail: 'The node is stopping; send requests to another one.' });
  expect((await read('/healthz')).status).toBe(200);
  expect((await read('/v1/version')).status).toBe(200);
  await stopped;
  await expect(read('/v1/version')).rejects.toThrow();
});
