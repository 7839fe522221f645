import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import type { Entry } from './recording.ts';
import { createRefusedRecordings } from './set-aside.ts';
import { FileMissing } from './transfer.ts';
import { createUploadQueue } from './upload-queue.ts';

const { signal } = new AbortController();
const offline = new TypeError('fetch failed');
const busy = new Error('Too many uploads');

function refusal(detail: string, status = 415): ApiError {
  const text = JSON.stringify({ status, detail });
  return ApiError.from(new Response(text, { status, headers: { 'content-type': 'application/problem+json' } }), text);
}

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-outcomes-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

/** Announced recordings and their queue. An upload fails with the fault of its file, or when it is told how to end. */
async function makeQueue(...names: readonly string[]) {
  for (const [at, name] of names.entries()) {
    const path = join(folder, name);
    await writeFile(path, 'sound');
    await journal.record({ path, bytes: 5, startMs: at, modifiedMs: 1, isOwn: true });
    await journal.announce([{ entry: { id: path }, clipID: at + 1 }]);
  }
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line.replace(/^\S+ /, '').replaceAll(`${folder}/`, '')));
  const tries: string[] = [];
  const faults = new Map<string, Error>();
  const now = { ms: 1_000, isAtOnce: true, wait: Promise.resolve() };
  const queue = createUploadQueue({
    journal,
    log,
    refused: createRefusedRecordings({ journal, log, version: '1', serverVersion: () => '1' }),
    upload: async (entry) => {
      const name = basename(entry.path);
      tries.push(name);
      await now.wait;
      const fault = faults.get(name);
      if (fault) throw fault;
      await journal.setUploaded(entry, true);
    },
    isAtOnce: () => now.isAtOnce,
    clock: () => now.ms,
  });
  const entry = (name: string): Entry => journal.findByPath(join(folder, name))!;
  return { queue, faults, lines, tries, now, entry };
}

test('who asks for an upload is told whether it is done, was refused, or comes later', async () => {
  const { queue, faults, entry } = await makeQueue('a.wav', 'junk.wav', 'gone.wav', 'busy.wav');
  faults.set('junk.wav', refusal('no sound'));
  faults.set('gone.wav', new FileMissing('it is missing'));
  faults.set('busy.wav', busy);
  await rm(join(folder, 'gone.wav'));
  expect(await queue.upload(entry('a.wav'), signal)).toEqual({ state: 'uploaded' });
  expect(await queue.upload(entry('junk.wav'), signal)).toEqual({ state: 'failed', reason: 'no sound' });
  expect(await queue.upload(entry('gone.wav'), signal)).toEqual({ state: 'failed', reason: 'it is missing' });
  const later = await queue.upload(entry('busy.wav'), signal);
  expect(later).toEqual({
    state: 'later',
    reason: 'Too many uploads',
    delayMs: expect.any(Number) as number,
    isFurther: false,
  });
  faults.set('busy.wav', offline);
  expect(await queue.upload(entry('busy.wav'), signal)).toMatchObject({ state: 'later', reason: 'fetch failed' });
});

test('a conflict of the moment sets nothing aside: the recording waits alone, and arrives when it is over', async () => {
  const { queue, faults, entry, lines, now } = await makeQueue('a.wav', 'b.wav');
  faults.set('a.wav', refusal('Other recordings with the same start are being stored.', 409));
  const idleMs = await queue.run(signal);
  expect(entry('a.wav')).toMatchObject({ isUploaded: false, setAside: undefined });
  expect(entry('b.wav').isUploaded).toBe(true);
  expect(lines).toEqual(['warning: uploading a.wav: Other recordings with the same start are being stored.']);
  faults.clear();
  now.ms += idleMs;
  await queue.run(signal);
  expect(entry('a.wav').isUploaded).toBe(true);
});

test('what is uploaded and removed, or no longer known, needs no upload', async () => {
  const { queue, tries, entry } = await makeQueue('a.wav', 'b.wav');
  const [a, b] = [entry('a.wav'), entry('b.wav')];
  await journal.setUploaded(a, true);
  await journal.setRemoved(a, 'uploaded');
  expect(await queue.upload(a, signal)).toEqual({ state: 'uploaded' });
  expect(await queue.upload({ ...b, id: 'forgotten' }, signal)).toEqual({ state: 'uploaded' });
  expect(tries).toEqual([]);
  // One that was lost before its upload is tried, so that the reason is told.
  await journal.setRemoved(b, 'missing');
  await queue.upload(b, signal);
  expect(tries).toEqual(['b.wav']);
});

test('the queue looks again after ten minutes at most', async () => {
  const { queue } = await makeQueue('a.wav');
  expect(await queue.run(signal)).toBe(600_000);
  expect(await queue.run(signal)).toBe(600_000);
});

test('while nothing answers, the queue waits; one success ends the wait', async () => {
  const { queue, faults, tries, entry, now } = await makeQueue('a.wav', 'b.wav');
  faults.set('a.wav', offline);
  const idleMs = await queue.run(signal);
  expect(idleMs).toBeLessThan(10_000);
  expect(await queue.run(signal)).toBe(idleMs);
  expect(tries).toEqual(['a.wav']);
  expect(await queue.upload(entry('b.wav'), signal)).toEqual({ state: 'uploaded' });
  await queue.run(signal);
  expect(tries).toEqual(['a.wav', 'b.wav', 'a.wav']);
  // Nothing is held against the recording: the delay is that of a first failure.
  now.ms += await queue.run(signal);
  faults.clear();
  await queue.run(signal);
  expect(entry('a.wav').isUploaded).toBe(true);
});

test('a platform that answers something else ends the wait only a minute after the last failure', async () => {
  const { queue, faults, tries, now } = await makeQueue('a.wav');
  faults.set('a.wav', offline);
  for (let at = 0; at < 8; at++) now.ms += await queue.run(signal);
  await queue.run(signal);
  const count = tries.length;
  for (const [laterMs, more] of [
    [59_999, 0],
    [1, 1],
  ] as const) {
    now.ms += laterMs;
    queue.setReachable();
    await queue.run(signal);
    expect(tries.length - count).toBe(more);
  }
});

test('everything is tried again when somebody asks for it', async () => {
  const { queue, faults, tries } = await makeQueue('a.wav', 'b.wav');
  faults.set('a.wav', busy);
  faults.set('b.wav', offline);
  await queue.run(signal);
  await queue.run(signal);
  expect(tries).toEqual(['a.wav', 'b.wav']);
  queue.retryAll();
  await queue.run(signal);
  expect(tries).toEqual(['a.wav', 'b.wav', 'a.wav', 'b.wav']);
});

test('a reason is named once, and again after a success or another reason', async () => {
  const { queue, faults, lines, entry } = await makeQueue('a.wav');
  const tryWith = async (fault: Error | undefined) => {
    faults.clear();
    if (fault) faults.set('a.wav', fault);
    await queue.upload(entry('a.wav'), signal);
  };
  for (const fault of [busy, busy, new Error('other'), undefined, busy]) {
    await tryWith(fault);
    if (fault === undefined) await journal.setNotUploaded(entry('a.wav'));
  }
  expect(lines.map((line) => line.replace('warning: uploading a.wav: ', ''))).toEqual([
    'Too many uploads',
    'other',
    'Too many uploads',
  ]);
});

test('only what is announced and there is uploaded by itself, and only if the device uploads at once', async () => {
  const { queue, tries, now, entry } = await makeQueue('a.wav', 'removed.wav', 'done.wav');
  const path = join(folder, 'new.wav');
  await journal.record({ path, bytes: 5, startMs: 9, modifiedMs: 1, isOwn: true });
  await journal.setRemoved(entry('removed.wav'), 'missing');
  await journal.setUploaded(entry('done.wav'), true);
  now.isAtOnce = false;
  await queue.run(signal);
  expect(tries).toEqual([]);
  now.isAtOnce = true;
  await queue.run(signal);
  expect(tries).toEqual(['a.wav']);
});

test('a stopped agent begins no further upload, and an upload that is stopped is no failure', async () => {
  const { queue, faults, tries, lines, now, entry } = await makeQueue('a.wav', 'b.wav');
  const stop = new AbortController();
  now.wait = new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve()));
  faults.set('a.wav', busy);
  const running = queue.upload(entry('a.wav'), stop.signal);
  expect(queue.isUploading(entry('a.wav'))).toBe(true);
  expect(queue.isUploading(entry('b.wav'))).toBe(false);
  stop.abort(new Error('stopped'));
  await expect(running).rejects.toThrow('stopped');
  expect(queue.isUploading(entry('a.wav'))).toBe(false);
  await queue.run(stop.signal);
  expect(tries).toEqual(['a.wav']);
  expect(lines).toEqual([]);
});

test('who waits for an upload of another that fails tries it itself', async () => {
  const { queue, faults, tries, entry } = await makeQueue('a.wav');
  faults.set('a.wav', busy);
  const first = queue.upload(entry('a.wav'), signal);
  const second = queue.upload(entry('a.wav'), signal);
  expect((await first).state).toBe('later');
  expect((await second).state).toBe('later');
  expect(tries).toEqual(['a.wav', 'a.wav']);
});
