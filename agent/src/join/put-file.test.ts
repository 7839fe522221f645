import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { findFreePort } from '@earshot/server/testing/free-port';
import { expect, onTestFinished, test } from 'vitest';
import { putFile } from './put-file.ts';

const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** A receiver that takes one piece, and lets everything else happen before the next. */
async function startSlowReceiver(): Promise<{ url: string; received: () => Buffer }> {
  const pieces: Buffer[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    for await (const piece of request) {
      pieces.push(piece as Buffer);
      await setImmediate();
    }
    response.writeHead(201).end();
  };
  const http = createServer({ highWaterMark: 1_024 }, (request, response) => void take(request, response));
  const port = await findFreePort();
  await once(http.listen(port, '127.0.0.1'), 'listening');
  onTestFinished(() => void http.close());
  return { url: `http://127.0.0.1:${port}/`, received: () => Buffer.concat(pieces) };
}

async function writeSound(bytes: number): Promise<{ path: string; sound: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-put-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'joined.wav');
  const sound = randomBytes(bytes);
  await writeFile(path, sound);
  return { path, sound };
}

/** Sends so many bytes with a limit; returns how many were sent after each piece. */
async function send(size: number, bytesPerSecond: number): Promise<number[]> {
  const { path, sound } = await writeSound(size);
  const receiver = await startSlowReceiver();
  const sent: number[] = [];
  await putFile(receiver.url, {
    path,
    bytes: size,
    contentType: 'audio/wav',
    bytesPerSecond,
    signal: new AbortController().signal,
    onProgress: (bytes) => sent.push(bytes),
  });
  expect(hashOf(receiver.received())).toBe(hashOf(sound));
  return sent;
}

// The run fails if listeners stay behind with each wait for the receiver (testing/warnings.ts).
test.each([0, 100_000_000])(
  'a large file arrives whole at a slow receiver, with a limit of %i bytes',
  async (limit) => {
    expect((await send(4 * 1024 ** 2, limit)).at(-1)).toBe(4 * 1024 ** 2);
  },
);

test('at a low limit the bytes flow in small pieces, so that nobody on the way takes them for stalled', async () => {
  expect(await send(3_000, 4_000)).toEqual([1_000, 2_000, 3_000]);
});
