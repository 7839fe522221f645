import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { prepareWatchedFolder } from './testing/watched-folder.ts';
import { wavHeader } from './wav.ts';

const place = prepareWatchedFolder();
const { countReads, names, put, watch } = place;

test('a file is recorded at the first look at which it has been still for its time', async () => {
  await put('a.wav');
  const { look, now } = watch({});
  await look();
  now.ms = 4_999;
  await look();
  expect([names(), countReads()]).toEqual([[], 0]);
  now.ms = 5_000;
  await look();
  expect(names()).toEqual(['a.wav']);
  // It is known, so it is not read again.
  now.ms = 20_000;
  await look();
  expect(countReads()).toBe(0);
});

test('an encrypted call is read once, until it changes', async () => {
  await put('1-1754753480_851012500.wav');
  await writeFile(
    join(place.recordings, '1-1754753480_851012500.json'),
    JSON.stringify({ talkgroup: 1, encrypted: 1 }),
  );
  const { look, now } = watch({});
  const readAt: number[] = [];
  for (now.ms = 0; now.ms < 40_000; now.ms += 5_000) {
    await look();
    if (countReads() > 0) readAt.push(now.ms);
  }
  expect(readAt).toEqual([5_000]);
  await put('1-1754753480_851012500.wav', 2_000);
  await look();
  now.ms += 5_000;
  await look();
  expect(countReads()).toBeGreaterThan(0);
});

test('an empty file is named when it has been so for long', async () => {
  await writeFile(join(place.recordings, 'empty.wav'), '');
  const { look, now } = watch({});
  const foundMs = 8 * 60_000;
  now.ms = foundMs;
  await look();
  now.ms = foundMs + 10 * 60_000 - 1;
  await look();
  expect(place.lines).toEqual([]);
  now.ms = foundMs + 10 * 60_000;
  await look();
  expect(place.lines).toEqual(['warning: empty.wav is empty; it is recorded when it has content.']);
  expect(countReads()).toBe(0);
});

test('in a slow folder recordings are added every second, without waiting for a hundred', async () => {
  for (let at = 0; at < 6; at++) await put(`${at}.wav`, 1_000, at);
  const { look, now, onRecorded } = watch({});
  await look();
  now.ms = 10_000;
  now.costMs = 200;
  const sizes: number[] = [];
  onRecorded.mockImplementation(() => void sizes.push(place.journal.entries.size));
  await look();
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.at(-1)).toBe(6);
});

test('a look that found nothing tells nobody', async () => {
  await put('a.wav');
  const { look, now, onRecorded } = watch({});
  await look();
  expect(onRecorded).not.toHaveBeenCalled();
  now.ms = 5_000;
  await look();
  now.ms = 10_000;
  await look();
  expect(onRecorded).toHaveBeenCalledTimes(1);
});

test('a twentieth of the time is spent on files that are known, to see whether they changed', async () => {
  await put('a.wav');
  const { look, now } = watch({});
  await look();
  now.ms = 5_000;
  now.costMs = 100;
  await look();
  now.costMs = 0;
  const endedMs = now.ms;
  const tookMs = endedMs - 5_000;
  await rm(join(place.recordings, 'a.wav'));
  await put('b.wav', 1_000, 2);
  const isGone = async (laterMs: number) => {
    now.ms = endedMs + laterMs;
    await look();
    return place.journal.findByPath(join(place.recordings, 'a.wav'))?.removedBecause !== undefined;
  };
  // A look is measured between its first and its last step.
  expect(await isGone(18 * (tookMs - 200))).toBe(false);
  expect(await isGone(21 * tookMs)).toBe(true);
});

test('a file that is replaced before its upload is named, unless it only grew', async () => {
  await put('a.wav', 4_000, 1);
  const { look, now } = watch({});
  const lookOn = async () => {
    for (let at = 0; at < 2; at++) {
      await look();
      now.ms += 5_000;
    }
  };
  await lookOn();
  await writeFile(join(place.recordings, 'a.wav'), Buffer.concat([wavHeader(6_000), Buffer.alloc(6_000, 1)]));
  await lookOn();
  expect([place.journal.entries.size, place.lines]).toEqual([1, []]);
  // A new date alone is no new sound.
  await utimes(join(place.recordings, 'a.wav'), 5, 5);
  await lookOn();
  expect([place.journal.entries.size, place.lines]).toEqual([1, []]);
  expect(place.journal.findByPath(join(place.recordings, 'a.wav'))?.modifiedMs).toBe(5_000);
  await put('a.wav', 6_000, 2);
  await lookOn();
  expect(place.journal.entries.size).toBe(2);
  expect(place.lines).toEqual(['error: a.wav was replaced before its upload; its former sound is lost.']);
  await place.journal.setUploaded(place.journal.findByPath(join(place.recordings, 'a.wav'))!, true);
  await put('a.wav', 6_000, 3);
  await lookOn();
  expect([place.journal.entries.size, place.lines.length]).toEqual([3, 1]);
});

test('a recording that is being uploaded stays as it is until the upload ends', async () => {
  await put('a.wav', 1_000, 1);
  let isUploading = false;
  const { look, now } = watch({ isUploading: () => isUploading });
  const lookOn = async () => {
    for (let at = 0; at < 2; at++) {
      await look();
      now.ms += 5_000;
    }
  };
  await lookOn();
  isUploading = true;
  await put('a.wav', 1_000, 2);
  await lookOn();
  expect(place.journal.entries.size).toBe(1);
  isUploading = false;
  await lookOn();
  expect(place.journal.entries.size).toBe(2);
});

test('a stopped look adds nothing, and the next one goes on', async () => {
  await put('a.wav');
  const { look, now } = watch({});
  await look();
  now.ms = 5_000;
  await look(AbortSignal.abort());
  expect(names()).toEqual([]);
  await look();
  expect(names()).toEqual(['a.wav']);
});

test('files that are gone are noted, also those that went with their folder', async () => {
  await mkdir(join(place.recordings, 'inner'));
  await put('a.wav', 1_000, 1);
  await put('inner/b.wav', 1_000, 2);
  const { look, now } = watch({});
  for (let at = 0; at < 2; at++) {
    await look();
    now.ms += 5_000;
  }
  expect(names().toSorted()).toEqual(['a.wav', 'b.wav']);
  await rm(join(place.recordings, 'a.wav'));
  await put('c.wav', 1_000, 3);
  await look();
  expect(place.journal.findByPath(join(place.recordings, 'a.wav'))?.removedBecause).toBe('missing');
  expect(place.journal.findByPath(join(place.recordings, 'inner/b.wav'))?.removedBecause).toBeUndefined();
  await rename(join(place.recordings, 'inner'), join(place.folder, 'away'));
  await look();
  expect(place.journal.findByPath(join(place.recordings, 'inner/b.wav'))?.removedBecause).toBe('missing');
});
