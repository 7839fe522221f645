import { execFileSync } from 'node:child_process';
import { appendFile, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import type * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { diskPath, decodeName, showPath } from './file-name.ts';
import { watchFolder } from './folder.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import type { Entry } from './recording.ts';
import { wavHeader } from './wav.ts';

/** Files that nobody may read; a test that runs as root may read every other. */
const locked = vi.hoisted(() => new Set<string>());
// Another test file of this worker may have loaded the modules without the mock.
vi.hoisted(() => vi.resetModules());
vi.mock('node:fs/promises', async (importOriginal) => {
  const original = await importOriginal<typeof files>();
  const open: typeof original.open = async (path, ...rest) => {
    if (locked.has(path.toString())) throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
    return original.open(path, ...rest);
  };
  return { ...original, open };
});

let folder: string;
let recordings: string;
let journal: Journal;
let lines: string[];
let nowMs: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-folder-'));
  recordings = join(folder, 'recordings');
  await mkdir(recordings);
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  lines = [];
  nowMs = 0;
});
afterEach(async () => {
  locked.clear();
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

const minuteMs = 60_000;
const makeWav = (bytes: number, value = 1, promised = bytes): Buffer =>
  Buffer.concat([wavHeader(promised), Buffer.alloc(bytes, value)]);
const put = (name: string, content: Buffer = makeWav(1_000)): Promise<void> =>
  writeFile(join(recordings, name), content);

function watch(changes: { unfinishedMinutes?: number; isUploading?: (entry: Entry) => boolean } = {}) {
  const onRecorded = vi.fn<() => void>();
  const { unfinishedMinutes = 10, isUploading = () => false } = changes;
  const log = createLog((line) => lines.push(line.replace(/^\S+ /, '')));
  const look = watchFolder(
    { journal, log, onRecorded, isUploading, clock: () => nowMs },
    { kind: 'folder', path: recordings, settleSeconds: 5, unfinishedMinutes, removeUploaded: false },
  );
  const lookAgain = async (times = 2): Promise<void> => {
    for (let at = 0; at < times; at++) {
      await look(new AbortController().signal);
      nowMs += 5_000;
    }
  };
  return { onRecorded, look: lookAgain };
}

const names = (): string[] => [...journal.entries.values()].map(({ path }) => showPath(basename(path)));
const entryOf = (name: string): Entry => journal.findByPath(join(recordings, name))!;
const upload = async (name: string, clipID = 7): Promise<void> => {
  await journal.announce([{ entry: entryOf(name), clipID }]);
  await journal.setUploaded(entryOf(name), true);
};

test('what cannot be read is named once and never stops the others', async () => {
  const latin = Buffer.concat([Buffer.from(`${recordings}/caf`), Buffer.from([0xe9]), Buffer.from('.wav')]);
  await writeFile(latin, makeWav(1_000, 2));
  await put('a-locked.wav', makeWav(1_000, 3));
  locked.add(join(recordings, 'a-locked.wav'));
  await put('b-empty.wav', Buffer.alloc(0));
  await put('c-fine.wav', makeWav(1_000, 4));
  await put(`${'d'.repeat(251)}.wav`, makeWav(1_000, 5));
  await mkdir(join(recordings, 'e-folder.wav'));
  await put('e-folder.wav/inside.wav', makeWav(1_000, 6));
  execFileSync('mkfifo', [join(recordings, 'f-pipe.wav'), join(recordings, 'c-fine.json')]);
  await symlink('.', join(recordings, 'g-loop'));
  await symlink('h-self.wav', join(recordings, 'h-self.wav'));
  await put('i-junk.wav', Buffer.from('RIFF junk '));
  await put('z-fine.wav', makeWav(1_000, 7));
  const { look } = watch();
  await look(4);
  nowMs += 10 * minuteMs;
  await look(4);
  expect(names().toSorted()).toEqual(
    [
      String.raw`caf\xe9.wav`,
      'c-fine.wav',
      `${'d'.repeat(251)}.wav`,
      'i-junk.wav',
      'inside.wav',
      'z-fine.wav',
    ].toSorted(),
  );
  expect(lines.map((line) => line.replace(`${recordings}/`, '')).toSorted()).toEqual([
    'error: a-locked.wav cannot be read: the user of this agent has no permission. Let it read this.',
    'warning: b-empty.wav is empty; it is recorded when it has content.',
    'warning: e-folder.wav is a folder; recordings in it are found.',
    'warning: f-pipe.wav is a device, a pipe or a socket, not a recording.',
    'warning: g-loop is a symbolic link and is not followed. Watch the folder that it leads to.',
    'warning: h-self.wav is a symbolic link and is not followed. Watch the folder that it leads to.',
  ]);
  locked.clear();
  await look();
  expect(names()).toContain('a-locked.wav');
});

test('a watched folder that cannot be read fails, and forgets nothing', async () => {
  await put('a.wav');
  const { look } = watch();
  await look();
  await upload('a.wav');
  await rename(recordings, `${recordings}-away`);
  await expect(look()).rejects.toThrow('ENOENT');
  // The place of a disk that is not mounted is an empty folder.
  await mkdir(recordings);
  await look(3);
  expect(entryOf('a.wav').isUploaded).toBe(true);
  expect(entryOf('a.wav').removedBecause).toBeUndefined();
  await rm(recordings, { recursive: true });
  await rename(`${recordings}-away`, recordings);
  await look(3);
  expect(names()).toEqual(['a.wav']);
});

test('recordings are added in batches, and announced while the folder is still being read', async () => {
  for (let at = 0; at < 450; at++) await put(`${at}.wav`, makeWav(200, at % 250));
  const { look, onRecorded } = watch();
  const sizes: number[] = [];
  onRecorded.mockImplementation(() => void sizes.push(journal.entries.size));
  await look();
  expect(sizes).toEqual([100, 200, 300, 400, 450]);
});

test('a file is complete when it has the length that it promises and does not grow', async () => {
  await put('a-growing.wav', makeWav(500, 1, 16_000));
  await put('b-unset.wav', Buffer.concat([wavHeader(0xffff_ffff - 36), Buffer.alloc(500, 2)]));
  await put('c-whole.wav', makeWav(500, 3));
  await put('d.mp3', Buffer.alloc(500, 4));
  const { look } = watch();
  await look(3);
  expect(names()).toEqual(['c-whole.wav']);
  await appendFile(join(recordings, 'a-growing.wav'), Buffer.alloc(15_500, 1));
  await look(1);
  expect(names()).toEqual(['c-whole.wav']);
  await look(1);
  expect(names()).toEqual(['c-whole.wav', 'a-growing.wav']);
  expect(entryOf('a-growing.wav').bytes).toBe(16_044);
  nowMs += 10 * minuteMs;
  await look(1);
  expect(names()).toEqual(['c-whole.wav', 'a-growing.wav', 'b-unset.wav', 'd.mp3']);
});

test('dates of files do not matter: neither those in the future nor a clock that is behind', async () => {
  await put('future.wav', makeWav(500, 1));
  await utimes(join(recordings, 'future.wav'), new Date('2090-01-01'), new Date('2090-01-01'));
  await put('old.wav', makeWav(500, 2));
  await utimes(join(recordings, 'old.wav'), new Date(0), new Date(0));
  const { look } = watch();
  vi.useFakeTimers({ now: Date.now() - 86_400_000, toFake: ['Date'] });
  await look();
  vi.useRealTimers();
  expect(names()).toEqual(['future.wav', 'old.wav']);
  expect(entryOf('future.wav').startMs).toBe(Date.UTC(2090, 0, 1) - Math.round(500 / 32));
});

test('a name that is used again is another recording; a file that was touched is not', async () => {
  await put('rec.wav', makeWav(1_000, 1));
  const { look } = watch();
  await look();
  await upload('rec.wav', 11);
  const first = entryOf('rec.wav');
  await utimes(first.path, new Date(), new Date(Date.now() + 3_600_000));
  await look(3);
  expect(journal.entries.size).toBe(1);
  await put('rec.wav', makeWav(1_000, 2));
  await look(3);
  expect([...journal.entries.values()]).toMatchObject([
    { id: first.path, clipID: 11, isUploaded: true, removedBecause: 'replaced' },
    { path: first.path, isUploaded: false, sha256: expect.not.stringMatching(first.sha256!) as string },
  ]);
  await put('rec.wav', makeWav(1_000, 3));
  // In memory, two files written within some milliseconds have the same time.
  await utimes(first.path, new Date(), new Date(Date.now() + 7_200_000));
  await look(3);
  expect(lines).toEqual([`error: ${first.path} was replaced before its upload; its former sound is lost.`]);
  await journal.close();
  const again = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  expect(again.findByPath(first.path)).toEqual(journal.findByPath(first.path));
  expect(again.entries.size).toBe(3);
  journal = again;
});

test('equal bytes under another path are another recording, unless their start is the same too', async () => {
  for (const name of ['20260101_100000.wav', '20260101_100100.wav', 'copy-20260101_100000.wav'])
    await put(name, makeWav(1_000, 0));
  const { look } = watch();
  await look(4);
  expect(names()).toEqual(['20260101_100000.wav', '20260101_100100.wav']);
  expect(entryOf('copy-20260101_100000.wav')).toBe(entryOf('20260101_100000.wav'));
  const text = JSON.stringify([...journal.entries.values()]);
  await look(4);
  expect(JSON.stringify([...journal.entries.values()])).toBe(text);
  // A file that was renamed is the same recording.
  await rename(join(recordings, '20260101_100100.wav'), join(recordings, 'new-20260101_100100.wav'));
  await look(4);
  expect(names()).toEqual(['20260101_100000.wav', 'new-20260101_100100.wav']);
  await rm(join(recordings, '20260101_100000.wav'));
  await look(4);
  expect(names()).toEqual(['copy-20260101_100000.wav', 'new-20260101_100100.wav']);
});

test('a file that grew is the same recording before its upload, and a second one after it', async () => {
  const name = '20260101_100000.wav';
  await put(name, makeWav(8_000, 1));
  const uploading = { isNow: false };
  const { look } = watch({ isUploading: () => uploading.isNow });
  await look();
  await journal.announce([{ entry: entryOf(name), clipID: 21 }]);
  uploading.isNow = true;
  await put(name, makeWav(12_000, 1));
  await look();
  expect(entryOf(name).bytes).toBe(8_044);
  uploading.isNow = false;
  await look();
  expect([...journal.entries.values()]).toMatchObject([{ bytes: 12_044, clipID: 21, isUploaded: false }]);
  await upload(name, 21);
  await put(name, makeWav(20_000, 1));
  await look();
  expect([...journal.entries.values()]).toMatchObject([
    { bytes: 12_044, clipID: 21, isUploaded: true, removedBecause: 'grew' },
    { bytes: 20_044, grownFromClipID: 21, startMs: Date.UTC(2026, 0, 1, 10) + 1, isUploaded: false },
  ]);
});

test('files that are gone are forgotten once their sound is uploaded', async () => {
  await put('a.wav', makeWav(500, 1));
  await put('b.wav', makeWav(500, 2));
  await put('c.wav', makeWav(500, 3));
  const { look } = watch();
  await look();
  await upload('a.wav');
  await rm(join(recordings, 'a.wav'));
  await rm(join(recordings, 'b.wav'));
  await look();
  expect(entryOf('a.wav').removedBecause).toBe('missing');
  expect(lines).toEqual([`error: ${join(recordings, 'b.wav')} vanished before its upload; its sound is lost.`]);
  await journal.compact();
  expect(names()).toEqual(['b.wav', 'c.wav']);
  // It is back: the same file, so the same recording.
  await put('b.wav', makeWav(500, 2));
  await utimes(join(recordings, 'b.wav'), entryOf('b.wav').modifiedMs / 1_000, entryOf('b.wav').modifiedMs / 1_000);
  await look();
  expect(entryOf('b.wav').removedBecause).toBeUndefined();
});

test('encrypted calls are left out, and a name of bytes is kept over a restart', async () => {
  await put('1-1754753480_851012500.wav');
  await put('1-1754753480_851012500.json', Buffer.from(JSON.stringify({ talkgroup: 1, encrypted: 1 })));
  const path = join(recordings, decodeName(Buffer.from([0xfe, 0x2e, 0x77, 0x61, 0x76])));
  await writeFile(diskPath(path), makeWav(100));
  const { look } = watch();
  await look(3);
  await journal.close();
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  expect([...journal.entries.keys()]).toEqual([path]);
});
