import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestServer } from '@earshot/server/testing/server';
import { createTestDatabase } from '@earshot/server/testing/database';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '../../../platform/database/connect.ts';
import { connect } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { watchOpenTransactions } from '../open-transactions.ts';
import { findOthers } from '../../../platform/changes/open-transactions.ts';
import { readChanges } from '../queries.ts';
import { openStream } from './stream.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const addDevice = () => server.admin.session.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });

interface OpenTransaction {
  readonly db: Db;
  readonly xid: number;
  end(): Promise<void>;
}

/** A transaction that has written, and stays open until `end`. */
async function openTransaction(url: string, name: string): Promise<OpenTransaction> {
  const db = connect(url, { connections: 1, name });
  onTestFinished(() => db.end({ timeout: 1 }));
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = (_transaction: { db: Db; xid: number }) => {};
  const isBegun = new Promise<{ db: Db; xid: number }>((resolve) => {
    begun = resolve;
  });
  const done = db
    .begin(async (tx) => {
      const [row] = await tx<{ xid: number }[]>`select pg_current_xact_id()::text::bigint as xid`;
      begun({ db: tx, xid: row?.xid ?? 0 });
      await ended;
    })
    .catch(() => {});
  return {
    ...(await isBegun),
    async end() {
      end();
      await done;
    },
  };
}

/** What a log is told. */
function openLog(): { readonly log: Log; readonly lines: () => readonly [object, string][] } {
  const lines: [object, string][] = [];
  const write = (fields: object, message: string) => void lines.push([fields, message]);
  return { log: { info: write, warn: write, error: write }, lines: () => lines };
}

test('an open transaction of another database of the same PostgreSQL delays nothing', async () => {
  const other = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => other.drop());
  const stranger = await openTransaction(other.url, 'stranger');
  const stream = await openStream(server.url, server.admin);
  const devices: (number | undefined)[] = [];
  for (let count = 0; count < 20; count += 1) devices.push((await addDevice()).key);
  await stream.untilDevice(devices.at(-1));
  const sent = stream.changes.filter(({ event }) => event === 'device').map(({ key }) => key);
  expect(sent.filter((key) => devices.includes(key))).toEqual(devices);
  // It was open all the time.
  expect(await findOthers(server.db)).toContain(stranger.xid);
  await stranger.end();
  stream.close();
});

test('one that is open in this database is waited for, even if it has written nothing yet', async () => {
  const mine = await openTransaction(server.databaseUrl, 'psql');
  expect(await findOthers(server.db)).not.toContain(mine.xid);
  const stream = await openStream(server.url, server.admin);
  const { key: later = 0 } = await addDevice();
  await sleep(500);
  expect(stream.changes.some(({ key }) => key === later)).toBe(false);
  const { key: known = 0 } = await server.admin.session
    .listDevices({ body: { count: 1 } })
    .then(([device]) => device ?? {});
  await mine.db`
    insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${known}, ${known})`;
  await mine.end();
  await stream.untilDevice(later);
  const ids = stream.changes.map(({ id }) => Number(id.split('-')[0]));
  expect(ids.filter((xid) => xid === mine.xid)).toHaveLength(1);
  expect(ids).toEqual(ids.toSorted((one, another) => one - another));
  stream.close();
});

test('who keeps it open is told once, and a session that does nothing is ended', async () => {
  const mine = await openTransaction(server.databaseUrl, 'forgotten psql');
  const { log, lines } = openLog();
  const open = watchOpenTransactions(server.db, log, { lookMs: 0, tellMs: 100, endMs: 600 });
  expect(await open.note(mine.xid)).toBe('of this database');
  expect([open.waitedSeconds() < 60, lines()]).toEqual([true, []]);
  await vi.waitUntil(async () => {
    await open.note(mine.xid);
    return lines().length >= 2;
  });
  expect(lines()).toMatchObject(
    [
      [
        { name: 'forgotten psql', state: 'idle in transaction', process: expect.any(Number) },
        /waits for a transaction/,
      ],
      [{}, /did nothing was ended/],
    ].map(([fields, message]) => [fields, expect.stringMatching(message as RegExp)]),
  );
  await expect(mine.db`select 1`).rejects.toThrow();
  expect(await open.note(undefined)).toBe(undefined);
  expect([open.waitedSeconds(), lines().at(-1)?.[1]]).toEqual([0, 'the live stream goes on']);
});

test('sessions of nodes have limits of their own and are not ended', async () => {
  const node = await openTransaction(server.databaseUrl, 'earshot api');
  const { log, lines } = openLog();
  const open = watchOpenTransactions(server.db, log, { lookMs: 0, tellMs: 0, endMs: 0 });
  for (let count = 0; count < 3; count += 1) await open.note(node.xid);
  expect(lines().map(([, message]) => message)).toEqual(['the live stream waits for a transaction that stays open']);
  expect(await node.db`select 1 as one`).toEqual([{ one: 1 }]);
  await node.end();
});

test('the changes of others are passed over only by what is known of them', async () => {
  const other = await createTestDatabase({ isEmpty: true });
  onTestFinished(() => other.drop());
  const stranger = await openTransaction(other.url, 'stranger');
  const { key: deviceID = 0 } = await addDevice();
  const start = { xid: stranger.xid, key: 0 };
  const unknown = await readChanges(server.db, start, [], 10);
  const known = await readChanges(server.db, start, await findOthers(server.db), 10);
  const has = ({ rows }: typeof known) => rows.some(({ recordKey }) => recordKey === deviceID);
  expect([has(unknown), has(known)]).toEqual([false, true]);
  expect(unknown.waitsFor).toBeLessThanOrEqual(stranger.xid);
  await stranger.end();
});
