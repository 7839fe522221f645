import { expect, test } from 'vitest';
import { connect, mark, versionOr } from '../testing/scripted-platform.ts';

test('a full disk does not keep the platform from being heard', async () => {
  const { client, connection } = await connect(
    (_, response) => response.writeHead(200, mark).end('{"Version":"1.0.0"}'),
    {
      isMarking: false,
      isFull: true,
    },
  );
  expect(await client.getVersion({})).toMatchObject({ Version: '1.0.0' });
  expect(connection.isMarking()).toBe(true);
});

test('a new version that arrives without an end is given up by its caller', async () => {
  const { server, connection } = await connect(
    versionOr((_, response) => void response.writeHead(200, mark).write('//')),
  );
  const stop = new AbortController();
  const response = await connection.fetch(`${server}/install/agent/1.mjs`, { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(response.text()).rejects.toThrow(/abort/i);
});

test.each([401, 403, 404])('after a %i, which concerns every recording, the next body waits', async (status) => {
  const { sendSound } = await connect(versionOr((_, response) => void response.writeHead(status, mark).end('{}')));
  await sendSound(10);
  const beganMs = performance.now();
  await sendSound(10);
  expect(performance.now() - beganMs).toBeGreaterThan(700);
});
