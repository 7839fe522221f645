import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createTestDatabase } from '@earshot/server/testing/database';
import { expect, onTestFinished, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { startServer } from './server-process.ts';

const slowSenders = 300;
const trickleMs = 500;

/** Sends the headers of a request byte by byte without an end; resolves to the response before the disconnect. */
async function sendSlowly(url: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  const trickle = setInterval(() => socket.writable && socket.write('x'), trickleMs);
  onTestFinished(() => {
    clearInterval(trickle);
    socket.destroy();
  });
  let told = '';
  socket.on('data', (chunk: Buffer) => (told += chunk.toString()));
  socket.on('error', () => {});
  socket.write('GET /readyz HTTP/1.1\r\nhost: earshot\r\nx-slow: ');
  await once(socket, 'close');
  return told;
}

test('hundreds of clients with slow headers do not delay others, and are disconnected', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const settings = { ...adminSettings, EARSHOT_DATABASE_URL: database.url };
  const server = await startServer({ dataDir: join(await openScratch(), 'data'), settings });
  let areCutOff = false;
  const slow = Promise.all(Array.from({ length: slowSenders }, () => sendSlowly(server.url)));
  void slow.then(() => (areCutOff = true));

  const { client } = await (await signInAdmin(server.url)).withKey();
  const created = await Promise.all(
    Array.from({ length: 50 }, (_, index) => client.createDevice({ body: { deviceSerial: `recorder-${index}` } })),
  );
  expect(created).toHaveLength(50);
  expect(areCutOff).toBe(false);

  for (const told of await slow) expect(told).toMatch(/^HTTP\/1\.1 408 .*\r\n\r\n\{"type":.*"status":408/s);
  expect(await client.listDevices({ body: { count: 1_000 } })).toHaveLength(50);
});
