import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { uploadRecording } from '@earshot/client/upload';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createTestDatabase } from '@earshot/server/testing/database';
import { expect, onTestFinished, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { startServer } from './server-process.ts';

const connections = 800;
const heldMs = 60_000;
const trickleMs = 2_000;
const pollMs = 100;

interface World {
  readonly url: string;
  readonly authorization: string;
  /** A clip of nine megabytes. */
  readonly clipID: number;
}

async function startWorld(): Promise<World> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const settings = { ...adminSettings, EARSHOT_DATABASE_URL: database.url };
  const { url } = await startServer({ dataDir: join(await openScratch(), 'data'), settings });
  const { credential, client } = await (await signInAdmin(url)).withKey();
  const { key = 0 } = await client.createDevice({ body: { deviceSerial: 'recorder-1' } });
  const startDate = new Date(1_790_000_000_000).toISOString();
  const metadata = { deviceID: String(key), startDate, filename: 'long.wav' };
  const clipID = await uploadRecording({ url, credential }, { sound: new Blob([tinyWav(300)]), metadata });
  const authorization = `Basic ${Buffer.from(`${credential.accessKey}:${credential.secretKey}`).toString('base64')}`;
  return { url, authorization, clipID };
}

interface SlowKind {
  readonly name: string;
  readonly first: (world: World) => string;
  /** Sent again and again. */
  readonly trickle?: string;
  /** What they are told, if the server ends them. */
  readonly told?: RegExp;
}

const kinds: readonly SlowKind[] = [
  {
    name: 'headers',
    first: () => 'GET /readyz HTTP/1.1\r\nhost: earshot\r\nx-slow: ',
    trickle: 'x',
    told: /^HTTP\/1\.1 408 /,
  },
  {
    name: 'body',
    first: ({ authorization }) =>
      `POST /v1/device HTTP/1.1\r\nhost: earshot\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n{`,
    trickle: ' ',
    told: /^HTTP\/1\.1 4\d\d /,
  },
  {
    name: 'read',
    first: ({ authorization, clipID }) =>
      `GET /v1/audioclip/${clipID}/content HTTP/1.1\r\nhost: earshot\r\nauthorization: ${authorization}\r\n\r\n`,
  },
];

interface SlowClient {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

async function openSlow(world: World, { first, trickle }: SlowKind): Promise<SlowClient> {
  const { hostname, port } = new URL(world.url);
  const socket = connect(Number(port), hostname);
  const client: SlowClient = { socket, text: '', isClosed: false };
  socket.on('error', () => {});
  socket.once('close', () => (client.isClosed = true));
  await once(socket, 'connect');
  socket.write(first(world));
  if (trickle === undefined) {
    // Reads the beginning of the response, and then nothing.
    socket.once('data', (chunk: Buffer) => {
      client.text = chunk.toString('latin1').slice(0, 200);
      socket.pause();
    });
    return client;
  }
  socket.on('data', (chunk: Buffer) => (client.text += chunk.toString('latin1')));
  const timer = setInterval(() => socket.writable && socket.write(trickle), trickleMs);
  socket.once('close', () => clearInterval(timer));
  return client;
}

/** The times of the answers of `/readyz`, which asks the database. */
async function pollHealth(url: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const begin = performance.now();
    const answer = await fetch(new URL('/readyz', url));
    await answer.arrayBuffer();
    expect(answer.status).toBe(200);
    times.push(performance.now() - begin);
    await wait(pollMs);
  }
  return times.toSorted((a, b) => a - b);
}

function after(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() >= end;
}

const summary = (times: readonly number[]): string => {
  const at = (share: number) => (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(1);
  return `${times.length} answers, median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
};

test('800 slow connections of each kind for a minute do not hinder others', async () => {
  const world = await startWorld();
  for (const kind of kinds) await checkKind(world, kind);
});

async function checkKind(world: World, kind: SlowKind): Promise<void> {
  const { url } = world;
  const before = await pollHealth(url, after(10_000));
  const slow: SlowClient[] = [];
  const opening = Promise.all(
    Array.from({ length: connections }, async () => void slow.push(await openSlow(world, kind))),
  );
  try {
    // Readers make the server send until the buffers of the system are full: megabytes for each.
    const areOpen = () => slow.length === connections && (kind.trickle !== undefined || slow.every(({ text }) => text));
    const atFirst = await pollHealth(url, areOpen);
    await opening;
    const during = await pollHealth(url, after(heldMs));
    const closed = slow.filter(({ isClosed }) => isClosed);
    process.stdout.write(
      `slow ${kind.name}: without ${summary(before)}; while they connect ${summary(atFirst)}; then ${summary(during)}; ${closed.length} ended by the server; load average ${loadavg()[0]?.toFixed(1)}\n`,
    );
    for (const { text } of closed) expect(text).toMatch(kind.told ?? /^HTTP\/1\.1 200 /);
    if (kind.trickle === undefined) for (const { text } of slow) expect(text).toMatch(/^HTTP\/1\.1 200 /);
    // New work is done meanwhile.
    const { client } = await (await signInAdmin(url)).withKey();
    expect((await client.createDevice({ body: { deviceSerial: `during-${kind.name}` } })).key).toBeGreaterThan(0);
  } finally {
    for (const { socket } of slow) socket.destroy();
  }
  await pollHealth(url, after(1_000));
}
