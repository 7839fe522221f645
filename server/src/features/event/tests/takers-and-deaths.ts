import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { openScratch, readPostmasterPid } from '@earshot/server/platform/database/embedded/testing/scratch';
import { silentLog } from '@earshot/server/testing/log';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { createPeople } from '@earshot/server/testing/person';
import { expect, onTestFinished, vi } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice } from './fleet.ts';
import { startNodeProcess } from './node-process.ts';
import { startTakers } from './takers.ts';

const patience = { interval: 20 };
const enqueuers = 4;
const admin = { email: 'admin@example.org', password: randomBytes(12).toString('hex') };

/** 32 takers on two node processes, one of which is killed in the middle, and PostgreSQL too. */
export async function takeThroughDeaths({ events }: { events: number }): Promise<void> {
  const dataDir = await openScratch();
  await makeDataFolder(join(dataDir, 'database'));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'database'), log: silentLog });
  onTestFinished(() => postgres.stop());
  const { username, password, host, database } = postgres.connection;
  const settings = {
    EARSHOT_DATABASE_URL: `postgres://${username}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`,
    EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
    EARSHOT_ADMIN_EMAIL: admin.email,
    EARSHOT_ADMIN_PASSWORD: admin.password,
  };
  const startOne = (name: string) => startNodeProcess({ ...settings, EARSHOT_DATA_DIR: join(dataDir, name) });
  const first = await startOne('first');
  const second = await startOne('second');
  const { credential } = await (await createPeople(first.url).signIn(admin.email, admin.password)).withKey();
  const clientOf = ({ url }: { url: string }) => createClient({ url, credential });
  const clients = [clientOf(first), clientOf(second)];
  const client = (number: number): Client => clients[number % clients.length] ?? clientOf(second);
  const devices = [await addDevice(client(0)), await addDevice(client(0)), await addDevice(client(0))];

  const enqueued = startEnqueuing(events, devices, client);
  const deviceSerials = devices.map(({ deviceSerial }) => deviceSerial);
  const crowd = startTakers({
    takers: 32,
    deviceSerials,
    client,
    completes: true,
    isAllEnqueued: () => enqueued.isDone(),
  });

  await vi.waitUntil(() => crowd.taken.length > events / 4, patience);
  await first.killNow();
  clients.splice(0, 1);
  await vi.waitUntil(() => crowd.taken.length > events / 2, patience);
  process.kill(await readPostmasterPid(join(dataDir, 'database')), 'SIGKILL');
  clients.push(clientOf(await startOne('third')));
  await crowd.done;

  expect([...crowd.wrongAnswers, ...enqueued.wrongAnswers]).toEqual([]);
  const db = connect(postgres.connection, { connections: 1, name: 'earshot test' });
  try {
    await expectAllDoneOnce(db, enqueued.acknowledged, crowd.taken);
  } finally {
    await db.end({ timeout: 1 });
  }
}

/** Enqueues until that many are acknowledged. If a response is lost, the event may exist or not, so another is sent. */
function startEnqueuing(events: number, devices: readonly Device[], client: (number: number) => Client) {
  const acknowledged: number[] = [];
  const wrongAnswers: string[] = [];
  let running = enqueuers;
  const enqueueOn = async (enqueuer: number): Promise<void> => {
    while (acknowledged.length < events) {
      const body = { deviceID: devices[acknowledged.length % devices.length]?.deviceID ?? 0, eventType: 'Reboot' };
      try {
        acknowledged.push((await client(enqueuer).createEvent({ body })).key ?? 0);
      } catch (error) {
        const { status = 503, message } = error as { status?: number; message: string };
        if (status !== 503) wrongAnswers.push(`${status} ${message}`);
        await sleep(100);
      }
    }
    running -= 1;
  };
  for (let enqueuer = 0; enqueuer < enqueuers; enqueuer++) void enqueueOn(enqueuer);
  return { acknowledged, wrongAnswers, isDone: () => running === 0 };
}

async function expectAllDoneOnce(db: Pool, acknowledged: readonly number[], taken: readonly number[]): Promise<void> {
  const rows = await db<
    { key: number; status: number; attempts: number; takes: number; ends: number; isHolders: boolean }[]
  >`
    select e.key, e.event_status as status, e.attempt_number as attempts, e.result = e.take_id::text as "isHolders",
      count(*) filter (where t.cause = 'taken')::int as takes, count(*) filter (where t.cause = 'completed')::int as ends
    from events e join event_transitions t on t.event_id = e.key group by e.key`;
  const stored = new Map(rows.map((row) => [row.key, row]));
  expect(acknowledged.filter((key) => !stored.has(key))).toEqual([]);
  const once = { status: 4, attempts: 1, takes: 1, ends: 1, isHolders: true };
  expect(rows.filter(({ key: _key, ...row }) => JSON.stringify(row) !== JSON.stringify({ ...row, ...once }))).toEqual(
    [],
  );
  // Each event reached exactly one taker.
  expect(taken.toSorted((a, b) => a - b)).toEqual([...stored.keys()].toSorted((a, b) => a - b));
}
