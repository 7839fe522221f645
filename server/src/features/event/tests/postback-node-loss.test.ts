import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { builtServer } from '@earshot/server/testing/built-server';
import type { TestDatabase } from '@earshot/server/testing/database';
import { createTestDatabase } from '@earshot/server/testing/database';
import { createPeople } from '@earshot/server/testing/person';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Receiver } from './receiver.ts';
import { startReceiver } from './receiver.ts';

let database: TestDatabase;
let db: Pool;
let receiver: Receiver;
const secretKey = randomBytes(32).toString('base64');
const undo: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  // The first node gets no response; later requests do.
  receiver = await startReceiver((_request, response) => void (receiver.requests.length > 1 && response.end()));
  database = await createTestDatabase();
  db = connect(database.url, { connections: 1, name: 'earshot test' });
  undo.push(
    () => database.drop(),
    () => db.end({ timeout: 1 }),
    () => receiver.stop(),
  );
});
afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

/** A node in a separate process that can be killed. */
async function startProcess() {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-loss-'));
  const settings = {
    EARSHOT_PORT: '0',
    EARSHOT_DATA_DIR: dataDir,
    EARSHOT_DATABASE_URL: database.url,
    EARSHOT_SECRET_KEY: secretKey,
    EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
    EARSHOT_CAPTION_ENGINE: 'none',
    EARSHOT_ADMIN_EMAIL: adminEmail,
    EARSHOT_ADMIN_PASSWORD: adminPassword,
  };
  const child = spawn(process.execPath, [builtServer], {
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const exited = once(child, 'exit');
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await exited;
  };
  undo.push(async () => {
    await end('SIGKILL');
    await rm(dataDir, { recursive: true, force: true });
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += String(chunk);
  });
  const url = await vi.waitUntil(() => /ready at (\S+)/.exec(said)?.[1]);
  return { url, end };
}

/** An ended event whose outcome a node has begun to post. */
async function beginPosting(url: string): Promise<void> {
  const { session } = await createPeople(url).signIn(adminEmail, adminPassword);
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'recorder-1' } });
  const postbackURL = `http://127.0.0.1:${receiver.port}/`;
  const { key: eventID = 0 } = await session.createEvent({ body: { deviceID, eventType: 'Reboot', postbackURL } });
  await session.cancelEvent({ params: { eventID } });
  await vi.waitFor(() => expect(receiver.requests).toHaveLength(1));
}

async function expectDelivery(): Promise<void> {
  await vi.waitFor(async () => expect(await state()).toMatchObject({ state: 'delivered', attempts: 2 }));
  const [first, second] = receiver.requests;
  expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
  expect(second?.body).toBe(first?.body);
}

const state = async () => {
  const [row] = await db<{ state: string; attempts: number; due: boolean }[]>`
    select postback_state as state, attempts, next_attempt_date <= now() as due from postbacks`;
  return row;
};

test('after a node is killed during an attempt, another node makes the next attempt', async () => {
  const first = await startProcess();
  await beginPosting(first.url);
  await first.end('SIGKILL');
  expect(await state()).toEqual({ state: 'waiting', attempts: 1, due: false });
  await startProcess();
  // Ends the lease of the dead node now instead of waiting for it.
  await db`update postbacks set next_attempt_date = now()`;
  await expectDelivery();
});

test('a stopping node releases its attempt at once', async () => {
  const first = await startProcess();
  await beginPosting(first.url);
  await first.end('SIGTERM');
  expect(await state()).toEqual({ state: 'waiting', attempts: 1, due: true });
  await startProcess();
  await expectDelivery();
});
