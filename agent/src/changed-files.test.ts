import { createHash } from 'node:crypto';
import { chmod, readFile, stat, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { prepareWatchedFolder } from './testing/watched-folder.ts';

const place = prepareWatchedFolder();
const { countReads, names, put, watch } = place;

test('a huge file holds up neither the look nor smaller ones, and is hashed beside them', async () => {
  const stop = new AbortController();
  const gibibyte = 1_073_741_824;
  for (const [name, size] of [
    ['a-huge.mp3', 60 * gibibyte],
    ['b-large.mp3', 40_000_000],
    ['c-endless.mp3', 1_024 * gibibyte],
  ] as const) {
    await writeFile(join(place.recordings, name), name);
    await truncate(join(place.recordings, name), size);
  }
  await put('z.wav');
  const { look, now } = watch({ unfinishedMinutes: 0 });
  await look(stop.signal);
  now.ms = 5_000;
  await look(stop.signal);
  expect(names()).toEqual(['z.wav']);
  await vi.waitFor(
    async () => {
      await look(stop.signal);
      expect(names()).toEqual(['z.wav', 'b-large.mp3']);
    },
    { interval: 100 },
  );
  stop.abort();
  const whole = createHash('sha256')
    .update('b-large.mp3')
    .update(Buffer.alloc(40_000_000 - 11));
  expect(place.journal.findByPath(join(place.recordings, 'b-large.mp3'))?.sha256).toBe(whole.digest('hex'));
  expect(place.lines).toEqual([
    'error: c-endless.mp3 has 1099511627776 bytes and is not sent: a recording has at most 68719476736. Split it.',
  ]);
});

test('a large file that becomes shorter while it is hashed is recorded as it is then', async () => {
  const path = join(place.recordings, 'a.mp3');
  await writeFile(path, 'a');
  await truncate(path, 2_000_000_000);
  const { look, now } = watch({ unfinishedMinutes: 0 });
  await look();
  now.ms = 5_000;
  await look();
  await truncate(path, 40_000_000);
  await vi.waitFor(
    async () => {
      await look();
      now.ms += 5_000;
      expect(names()).toEqual(['a.mp3']);
    },
    { interval: 100 },
  );
  expect(place.journal.findByPath(path)?.bytes).toBe(40_000_000);
});

test('a file that is known and changes is recorded although the next look checks no other known file', async () => {
  await put('a.wav', 1_000, 1);
  const { look, now } = watch({});
  await look();
  now.ms = 5_000;
  await look();
  await put('a.wav', 3_000, 2);
  now.ms = 10_000;
  now.costMs = 100;
  await look();
  now.costMs = 0;
  now.ms += 5_000;
  await look();
  expect(place.journal.entries.size).toBe(2);
});

/** Looks until nothing is left to read. */
const lookUntil = (look: () => Promise<void>, now: { ms: number }, check: () => void) =>
  vi.waitFor(
    async () => {
      await look();
      now.ms += 5_000;
      check();
    },
    { interval: 20 },
  );

/** Writes other bytes without changing the size and the date. */
async function replaceUnseen(name: string, value: number) {
  const path = join(place.recordings, name);
  const { mtime, ctimeMs } = await stat(path);
  // The clock of files has ticks of some milliseconds.
  await vi.waitFor(async () => {
    await put(name, 1_000, value);
    await utimes(path, mtime, mtime);
    expect(Math.round((await stat(path)).ctimeMs)).not.toBe(Math.round(ctimeMs));
  });
}

test('other bytes of the same size and date are another recording', async () => {
  await put('a.wav', 1_000, 1);
  await put('b.wav', 1_000, 2);
  await utimes(join(place.recordings, 'a.wav'), 1_000, 1_000);
  const { look, now } = watch({});
  await lookUntil(look, now, () => expect(names()).toEqual(['a.wav', 'b.wav']));
  await place.journal.setUploaded(place.journal.findByPath(join(place.recordings, 'a.wav'))!, true);
  await replaceUnseen('a.wav', 3);
  await lookUntil(look, now, () => expect(place.journal.entries.size).toBe(3));
  const [former, , latter] = [...place.journal.entries.values()];
  expect(former).toMatchObject({ isUploaded: true, removedBecause: 'replaced' });
  expect(latter).toMatchObject({ path: former?.path, modifiedMs: 1_000_000, bytes: 1_044, isUploaded: false });
  expect(latter?.sha256).not.toBe(former?.sha256);
  for (let at = 0; at < 5; at++) await lookUntil(look, now, () => {});
  expect([place.journal.entries.size, place.lines]).toEqual([3, []]);
});

test('a file of which only the permissions change is read once more, and nothing is written', async () => {
  await put('a.wav');
  const { look, now } = watch({});
  await lookUntil(look, now, () => expect(names()).toEqual(['a.wav']));
  const written = await readFile(join(place.folder, 'journal'), 'utf8');
  const { changedMs } = place.journal.findByPath(join(place.recordings, 'a.wav'))!;
  await vi.waitFor(async () => {
    await chmod(join(place.recordings, 'a.wav'), 0o600);
    expect(Math.round((await stat(join(place.recordings, 'a.wav'))).ctimeMs)).not.toBe(changedMs);
  });
  countReads();
  // What a look begins is read after it.
  let reads = 0;
  const lookOn = async () => {
    reads += countReads();
    await look();
    now.ms += 5_000;
  };
  await vi.waitFor(async () => {
    await lookOn();
    expect(reads).toBeGreaterThan(0);
  });
  // Its result was noted by that look.
  reads = 0;
  for (let at = 0; at < 5; at++) await lookOn();
  await setImmediate();
  expect(reads + countReads()).toBe(0);
  expect(await readFile(join(place.folder, 'journal'), 'utf8')).toBe(written);
});

test('an entry that does not tell when its file changed is believed', async () => {
  await put('a.wav');
  const path = join(place.recordings, 'a.wav');
  const { size, mtimeMs } = await stat(path);
  const sha256 = 'a'.repeat(64);
  await place.journal.record({ path, bytes: size, modifiedMs: Math.round(mtimeMs), sha256, startMs: 1, isOwn: false });
  const { look, now } = watch({});
  for (let at = 0; at < 5; at++) await lookUntil(look, now, () => expect(countReads()).toBe(0));
  expect(place.journal.entries.size).toBe(1);
});
