import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotThePlatform } from './connection/network-fault.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import type { Entry } from './recording.ts';
import { createRefusedRecordings } from './set-aside.ts';
import { FileReplaced } from './transfer.ts';
import { createUploadQueue } from './upload-queue.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-lanes-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});
const { signal } = new AbortController();

type Upload = (entry: Entry, stop: AbortSignal, onProgress?: (bytes: number) => void) => Promise<void>;

function makeQueue(upload: Upload) {
  const lines: string[] = [];
  const now = { ms: 0 };
  const log = createLog((line) => lines.push(line.replace(/^\S+ /, '')));
  const refused = createRefusedRecordings({ journal, log, version: '1', serverVersion: () => '1' });
  const queue = createUploadQueue({ journal, log, refused, upload, isAtOnce: () => true, clock: () => now.ms });
  return { queue, lines, now };
}

async function record(...paths: readonly string[]) {
  const content = { bytes: 1, startMs: 99, sha256: 'a'.repeat(64), isOwn: false };
  await journal.record(...paths.map((path, at) => ({ ...content, path, modifiedMs: at })));
  await journal.announce([{ entry: { id: paths[0]! }, clipID: 9 }]);
}

test('a lane that is busy holds up no other', async () => {
  await record('/large.wav');
  await journal.record({ path: '/a.wav', bytes: 1, startMs: 5, modifiedMs: 1, isOwn: false });
  await journal.announce([{ entry: { id: '/a.wav' }, clipID: 10 }]);
  const { queue } = makeQueue(async (entry, stopped) => {
    if (entry.path === '/large.wav') await once(stopped, 'abort');
    else await journal.setUploaded(entry, true);
  });
  const stop = new AbortController();
  const isLarge = ({ path }: Entry) => path === '/large.wav';
  const large = queue.run(stop.signal, isLarge);
  await queue.run(signal, (entry) => !isLarge(entry));
  expect([...journal.entries.values()].map(({ isUploaded }) => isUploaded)).toEqual([false, true]);
  stop.abort();
  // The upload had ended before it was stopped.
  await large;
});

test('a file that was replaced unseen is named as lost, unless the recording has another one', async () => {
  await record('/first.wav', '/copy.wav');
  const { queue, lines } = makeQueue(async () => {
    throw new FileReplaced('it has changed');
  });
  await queue.run(signal);
  expect(journal.findByPath('/first.wav')).toBeUndefined();
  expect(journal.findByPath('/copy.wav')).toMatchObject({ clipID: 9, modifiedMs: 1, removedBecause: undefined });
  expect(lines).toEqual([]);
  await queue.run(signal);
  expect(journal.findByPath('/copy.wav')?.removedBecause).toBe('replaced');
  expect(lines).toEqual(['error: /copy.wav was replaced before its upload; its former sound is lost.']);
});

test('a recording of which more arrives each time waits no longer than at first', async () => {
  await record('/slow.wav');
  let [bytes, step] = [0, 1_000];
  const { queue, now } = makeQueue(async (_entry, _stop, onProgress) => {
    onProgress?.((bytes += step));
    throw Object.assign(new NotThePlatform(200, 'platform.test'), { platformAnswers: bytes % 2_000 === 0 });
  });
  const longestOf = async (times: number) => {
    let longestMs = 0;
    for (let at = 0; at < times; at++) {
      const delayMs = await queue.run(signal);
      now.ms += delayMs;
      longestMs = Math.max(longestMs, delayMs);
    }
    return longestMs;
  };
  expect(await longestOf(12)).toBeLessThan(10_000);
  const [entry] = [...journal.entries.values()];
  expect(await queue.upload(entry!, signal)).toMatchObject({ state: 'later', isFurther: true });
  step = 0;
  expect(await queue.upload(entry!, signal)).toMatchObject({ state: 'later', isFurther: false });
  expect(await longestOf(12)).toBeGreaterThan(100_000);
});
