import { spawn } from 'node:child_process';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test, vi } from 'vitest';

import { makeDataFolder } from '../../../testing/made-data.ts';
import type { Pool } from '../connect.ts';
import { readLivePostmaster } from './postmaster-file.ts';
import { isNamedByProcess } from './processes.ts';
import {
  connectTo,
  countProcesses,
  findProcessesNaming,
  killNow,
  launchApart,
  openScratch,
  readPostmasterPid,
  startIn,
} from './testing/scratch.ts';

const patience = { interval: 20 };

/** Inserts one number after the other, and records which ones the database acknowledged. */
async function writeOn(sql: Pool, next: () => number, acknowledged: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const number = next();
    try {
      await sql`insert into numbers values (${number})`;
      acknowledged.push(number);
    } catch {
      await sleep(20);
    }
  }
}

test('PostgreSQL that is killed under load restarts with every acknowledged row', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const database = await startIn(dataDir);
  const sql = connectTo(database.connection, 4);
  await sql`create table numbers (number int primary key)`;
  const acknowledged: number[] = [];
  const enough = new AbortController();
  let last = 0;
  const writers = Array.from({ length: 4 }, () => writeOn(sql, () => (last += 1), acknowledged, enough.signal));

  for (const round of [1, 2]) {
    const before = acknowledged.length;
    await vi.waitUntil(() => acknowledged.length > before + 300, patience);
    process.kill(await readPostmasterPid(dataDir), 'SIGKILL');
    const atKill = acknowledged.length;
    await vi.waitUntil(() => acknowledged.length > atKill + 300, patience);
    expect(database.messages.filter((message) => message.includes('exited unexpectedly'))).toHaveLength(round);
  }
  enough.abort();
  await Promise.all(writers);

  const rows = await sql<{ number: number }[]>`select number from numbers`;
  const present = new Set(rows.map(({ number }) => number));
  expect(acknowledged.filter((number) => !present.has(number))).toEqual([]);
});

test('the next server takes over, supervises and stops the PostgreSQL of a killed server', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const crashed = launchApart(dataDir);
  const { host } = await crashed.report;
  const pid = await readPostmasterPid(dataDir);
  await killNow(crashed.child);

  const database = await startIn(dataDir);
  expect(await readPostmasterPid(dataDir)).toBe(pid);
  expect(database.connection.host).toBe(host);
  expect(database.messages).toEqual(['took over the PostgreSQL that a crashed server process left running']);

  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(() => database.messages.includes('PostgreSQL is running'), patience);
  expect(await connectTo(database.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  expect(await readPostmasterPid(dataDir)).not.toBe(pid);

  await database.stop();
  expect(await countProcesses(dataDir)).toBe(0);
});

test('a PostgreSQL with a temporary socket folder is taken over and stopped', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'long'.repeat(25)));
  const crashed = launchApart(dataDir);
  const { host = '' } = await crashed.report;
  await killNow(crashed.child);

  const database = await startIn(dataDir);
  expect(database.connection.host).toBe(host);
  await database.stop();
  expect(await countProcesses(dataDir)).toBe(0);
  await expect(stat(host)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('after server and PostgreSQL were both killed, the next start recovers', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'long'.repeat(25)));
  const crashed = launchApart(dataDir);
  const { host = '' } = await crashed.report;
  await killNow(crashed.child);
  process.kill(await readPostmasterPid(dataDir), 'SIGKILL');
  const isGone = async () => (await readLivePostmaster(join(dataDir, 'postgres', 'cluster'))) === undefined;
  await vi.waitUntil(isGone, patience);

  const database = await startIn(dataDir);
  expect(await connectTo(database.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  await expect(stat(host)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('an interrupted creation is removed and repeated', async () => {
  const dataDir = join(await openScratch(), 'data');
  const home = join(dataDir, 'postgres');
  const findUnfinished = async () =>
    (await readdir(home).catch(() => [])).find((name) => name.startsWith('cluster.new-'));
  const interrupted = launchApart(dataDir);
  await vi.waitUntil(findUnfinished, patience);
  await killNow(interrupted.child);
  for (const pid of await findProcessesNaming(dataDir)) process.kill(pid, 'SIGKILL');
  expect(await findUnfinished()).toBeDefined();
  await vi.waitUntil(async () => !(await isNamedByProcess(dataDir)), patience);

  const database = await startIn(dataDir);
  expect(await connectTo(database.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  expect(await findUnfinished()).toBeUndefined();
});

test('the folder of a running creation is not removed', async () => {
  const dataDir = await openScratch();
  const busy = join(dataDir, 'postgres', 'cluster.new-busy');
  await mkdir(busy, { recursive: true });
  const worker = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)', busy]);
  await startIn(dataDir);
  expect(await readdir(join(dataDir, 'postgres'))).toContain('cluster.new-busy');
  await killNow(worker);
});

test('lock files that are empty or name another program do not prevent a start', async () => {
  const closed = join(await openScratch(), 'closed');
  // If PostgreSQL runs with the uid of this process, it takes any process of this user for a postmaster.
  await mkdir(closed, { mode: 0o700 });
  const first = await startIn(closed);
  await first.stop();
  const cluster = join(closed, 'postgres', 'cluster');
  const strangers = `${process.pid}\n${cluster}\n1700000000\n5432\n${first.connection.host}\n\n\nready\n`;

  for (const text of ['', strangers]) {
    await writeFile(join(cluster, 'postmaster.pid'), text);
    await writeFile(join(first.connection.host, '.s.PGSQL.5432.lock'), text);
    const next = await startIn(closed);
    expect(await connectTo(next.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
    expect(next.messages).toEqual(['PostgreSQL is running']);
    await next.stop();
  }
});

test('a stop at any moment of a restart leaves no process running', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  for (const pauseMs of [0, 60, 110, 130, 150, 200]) {
    const database = await startIn(dataDir);
    process.kill(await readPostmasterPid(dataDir), 'SIGKILL');
    await sleep(pauseMs);
    await database.stop();
    expect(await findProcessesNaming(dataDir)).toEqual([]);
    expect(await countProcesses(dataDir)).toBe(0);
  }
});
