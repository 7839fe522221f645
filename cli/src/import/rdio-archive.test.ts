import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { expect, onTestFinished, test } from 'vitest';
import { makeArchiveSeven } from '../testing/rdio-archive-file.ts';
import type { ArchivedCall, BadCall } from './rdio-archive.ts';
import { openRdioArchive } from './rdio-archive.ts';

async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-archive-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function readAll(path: string, largestBytes?: number): Promise<{ calls: ArchivedCall[]; bad: BadCall[] }> {
  const archive = await openRdioArchive(path, largestBytes);
  try {
    const all = [...archive.readCalls(0)];
    return {
      calls: all.filter((call) => 'audio' in call),
      bad: all.filter((call) => 'reason' in call),
    };
  } finally {
    archive.close();
  }
}

const sound = Buffer.alloc(3_000, 9);
const time = Date.UTC(2025, 1, 2);

test('rows with wrong types are bad one by one; the others are read', async () => {
  const path = join(await openFolder(), 'types.db');
  makeArchiveSeven(path, [
    { audio: sound, time },
    { audio: null, time },
    { audio: 'text', time },
    { audio: Buffer.alloc(0), time },
    { audio: sound, time: 'later' },
    { audio: sound, time: -5 },
    { audio: sound, time, talkgroup: 1_000 },
    { audio: sound, time: time + 1 },
  ]);
  const db = new sqlite.Database(path);
  db.exec(
    `update "systems" set "label" = x'ff00ff'; update "talkgroups" set "label" = 'L' || char(0) || 'x' where "talkgroupId" = 21`,
  );
  db.exec(`insert into "calls" values (9007199254740995, x'00', 'n', 'm', 0, 3, 21, 5)`);
  db.close();
  const { calls, bad } = await readAll(path);
  expect(calls.map(({ id }) => id)).toEqual([1, 8]);
  expect(calls[0]!.fields).toMatchObject({
    system: '11',
    talkgroup: '4521',
    talkgroupLabel: 'L',
    timestamp: String(time),
  });
  expect(calls[0]!.fields).not.toHaveProperty('systemLabel');
  expect(bad.map(({ reason }) => reason)).toEqual([
    'It has no sound.',
    'It has no sound.',
    'It has no sound.',
    'It has no valid time.',
    'It has no valid time.',
    'Its talkgroup is not in the archive.',
    'The rest of the file is damaged and cannot be read.',
  ]);
});

test('a huge blob is skipped without being read', async () => {
  const largest = 5_000_000;
  const path = join(await openFolder(), 'huge.db');
  makeArchiveSeven(path, [{ audio: sound, time }]);
  const db = new sqlite.Database(path);
  db.exec(
    `insert into "calls" ("audio", "systemId", "talkgroupId", "timestamp") values (zeroblob(${largest + 1}), 3, 21, ${time + 9})`,
  );
  db.close();
  const before = process.memoryUsage().arrayBuffers;
  const { calls, bad } = await readAll(path, largest);
  expect(calls).toHaveLength(1);
  expect(bad).toEqual([{ id: 2, reason: `Its sound is too large: ${largest + 1} bytes.` }]);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(largest);
});

const manyCalls = Array.from({ length: 50 }, (_value, at) => ({ audio: sound, time: time + at }));

test('a truncated file is refused', async () => {
  const path = join(await openFolder(), 'cut.db');
  makeArchiveSeven(path, manyCalls);
  const bytes = await readFile(path);
  for (const length of [5_000, Math.floor(bytes.length / 2), bytes.length - 1]) {
    await writeFile(path, bytes.subarray(0, length));
    await expect(openRdioArchive(path)).rejects.toThrow(`is cut off: it has ${length} of ${bytes.length} bytes`);
  }
});

test('of a damaged file what can be read is imported, and the rest is reported', async () => {
  const path = join(await openFolder(), 'damaged.db');
  makeArchiveSeven(path, manyCalls);
  const bytes = await readFile(path);
  // The pages in its second half.
  bytes.fill(0xab, Math.floor(bytes.length / 8_192) * 4_096);
  await writeFile(path, bytes);
  const { calls, bad } = await readAll(path);
  expect(calls.length).toBeLessThan(50);
  for (const call of calls) expect(call.audio.length).toBe(sound.length);
  expect(bad.length).toBeGreaterThan(0);
});

test.each([
  ['text', Buffer.from('hello '.repeat(100)), 'is not an SQLite database'],
  ['nothing', Buffer.alloc(0), 'is not an SQLite database'],
  ['a header alone', Buffer.from(`SQLite format 3\0${'\0'.repeat(84)}`, 'latin1'), 'cannot be read'],
  ['a header and noise', Buffer.from(`SQLite format 3\0${'\x10\x00\x01\x01'.repeat(2_000)}`, 'latin1'), 'is cut off'],
])('%s is refused with a clear message', async (_name, bytes, message) => {
  const path = join(await openFolder(), 'no.db');
  await writeFile(path, bytes);
  await expect(openRdioArchive(path)).rejects.toThrow(message);
});

test.each([
  [
    'a view',
    `create view "calls" as with recursive n(x) as (select 1 union all select x + 1 from n) select x as "callId" from n`,
  ],
  ['a computed column', `create table "calls" ("callId" integer primary key, "audio" blob as (zeroblob(1000000000)))`],
  ['other tables', `create table "songs" ("id" integer)`],
])('%s instead of the calls is refused without being run', async (_name, sql) => {
  const path = join(await openFolder(), 'odd.db');
  const db = new sqlite.Database(path);
  db.exec(sql);
  db.close();
  await expect(openRdioArchive(path)).rejects.toThrow('has no calls of rdio-scanner');
});

test('a database in WAL mode is refused with the way to copy it', async () => {
  const path = join(await openFolder(), 'wal.db');
  makeArchiveSeven(path, []);
  const bytes = await readFile(path);
  bytes[18] = 2;
  bytes[19] = 2;
  await writeFile(path, bytes);
  await expect(openRdioArchive(path)).rejects.toThrow('vacuum into');
});
