import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { watchFolder } from './folder.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { wavHeader } from './wav.ts';

let folder: string;
let recordings: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-times-'));
  recordings = join(folder, 'recordings');
  await mkdir(recordings);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const dayMs = 86_400_000;
const year2200 = Date.UTC(2200, 0, 1) / 1_000;

/** A WAV file of two seconds, 16 kHz, 16 bits, whose header is changed. */
function makeWav(changes: {
  format?: number;
  byteRate?: number;
  block?: number;
  bits?: number;
  rate?: number;
}): Buffer {
  const header = wavHeader(64_000);
  const { format = 1, rate = 16_000, byteRate = 32_000, block = 2, bits = 16 } = changes;
  header.writeUInt16LE(format, 20);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(byteRate, 28);
  header.writeUInt16LE(block, 32);
  header.writeUInt16LE(bits, 34);
  return Buffer.concat([header, Buffer.alloc(64_000, 1)]);
}

const put = (name: string, content: string | Buffer): Promise<void> => writeFile(join(recordings, name), content);
const open = () => openJournal({ path: join(folder, 'journal'), onDamage: () => {} });

/** The recordings that two looks find. */
async function find() {
  const journal = await open();
  const parts = { journal, log: createLog(() => {}), onRecorded: () => {}, isUploading: () => false };
  const source = { path: recordings, settleSeconds: 0, unfinishedMinutes: 0, removeUploaded: false };
  const look = watchFolder(parts, { kind: 'folder', ...source });
  for (let at = 0; at < 2; at++) await look(new AbortController().signal);
  const found = [...journal.entries.values()];
  await journal.close();
  return found;
}

test.each([
  ['is right', {}, 2_000],
  ['is one', { byteRate: 1 }, 2_000],
  ['is missing', { byteRate: 0 }, 2_000],
  ['is that of another rate', { byteRate: 176_400 }, 2_000],
  ['is the largest', { byteRate: 0xffff_ffff }, 2_000],
  ['counts padded samples of 24 bits', { byteRate: 64_000, block: 4, bits: 24 }, 1_000],
  ['cannot be checked, because the sound is compressed', { format: 17, byteRate: 8_000, bits: 4 }, 8_000],
  ['of compressed sound is missing', { format: 17, byteRate: 0 }, undefined],
])('the byte rate of a WAV file %s', async (_name, changes, durationMs) => {
  await put('20260101_100000.wav', makeWav(changes));
  expect((await find())[0]).toMatchObject({ durationMs, startMs: Date.UTC(2026, 0, 1, 10) });
});

test('a length of more than a day is not believed, and moves no start', async () => {
  const content = Buffer.concat([makeWav({ byteRate: 1, format: 17 }), Buffer.alloc(36_000, 1)]);
  content.writeUInt32LE(100_036, 4);
  content.writeUInt32LE(100_000, 40);
  await put('long.wav', content);
  const { mtimeMs } = await stat(join(recordings, 'long.wav'));
  expect((await find())[0]).toMatchObject({ durationMs: undefined, startMs: Math.round(mtimeMs) });
});

test('a date after 2099 is not that of a recording: it ended when its file came', async () => {
  await put('far.wav', makeWav({}));
  await utimes(join(recordings, 'far.wav'), year2200, year2200);
  const { ctimeMs } = await stat(join(recordings, 'far.wav'));
  expect((await find())[0]).toMatchObject({ modifiedMs: year2200 * 1_000, startMs: Math.round(ctimeMs) - 2_000 });
});

test('a date before 1970 is that of 1970, and one that a clock may well show is kept', async () => {
  await put('early.wav', makeWav({}));
  execFileSync('touch', ['-d', '@-5000000', join(recordings, 'early.wav')]);
  await put('late.wav', makeWav({ byteRate: 1 }));
  await utimes(join(recordings, 'late.wav'), 2_100_000_000, 2_100_000_000);
  expect((await find()).map(({ startMs }) => startMs)).toEqual([0, 2_099_999_998_000]);
});

test('the time of a radio call that cannot be is that of its file', async () => {
  await put('1.wav', makeWav({}));
  await put('1.json', JSON.stringify({ talkgroup: 1, start_time: 9e15 }));
  await put('99991231_235959Site__TO_4521.wav', makeWav({ byteRate: 31_999 }));
  const found = await find();
  expect(found.map(({ call }) => call?.talkgroup)).toEqual([1, 4521]);
  for (const { startMs } of found) expect(Math.abs(startMs - Date.now())).toBeLessThan(dayMs);
});

test('an impossible length in the journal of an earlier agent is forgotten', async () => {
  const recorded = { bytes: 1, modifiedMs: 1, isOwn: false, startMs: 5 };
  const lines = [
    { recorded: { ...recorded, path: '/a.wav', durationMs: dayMs + 1 } },
    { recorded: { ...recorded, path: '/b.wav', durationMs: dayMs } },
    { recorded: { ...recorded, path: '/c.wav', startMs: Date.UTC(9999, 11, 31, 23, 59, 59), durationMs: 1_000 } },
  ];
  await writeFile(join(folder, 'journal'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const journal = await open();
  expect([...journal.entries.values()].map(({ durationMs }) => durationMs)).toEqual([undefined, dayMs, undefined]);
  await journal.close();
});
