import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createBackoff } from './backoff.ts';
import { NotThePlatform } from './connection/network-fault.ts';
import { keepBudget } from './disk-budget.ts';
import { describeHealth } from './health.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import type { Entry } from './recording.ts';
import { createRefusedRecordings } from './set-aside.ts';
import { FileMissing } from './transfer.ts';
import type { UploadQueue } from './upload-queue.ts';
import { createUploadQueue } from './upload-queue.ts';
import { noteVanishedAside } from './vanished.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-queue-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  vi.useRealTimers();
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

/** What the platform answers, as the client reads it. */
function refusal(status: number, detail: string): ApiError {
  const text = JSON.stringify({ type: 'about:blank', title: 'Refused', status, detail });
  return ApiError.from(new Response(text, { status, headers: { 'content-type': 'application/problem+json' } }), text);
}
const portal = (status: number): Error => new NotThePlatform(status, 'platform.test');

async function makeQueue(...names: readonly string[]) {
  for (const [at, name] of names.entries()) {
    const path = join(folder, name);
    await writeFile(path, 'x'.repeat(1_000_000));
    await journal.record({ path, bytes: 1_000_000, startMs: at, modifiedMs: 1, isOwn: true });
    await journal.announce([{ entry: { id: path }, clipID: at + 1 }]);
  }
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line.replace(/^\S+ /, '').replaceAll(`${folder}/`, '')));
  const tries: string[] = [];
  const faults = new Map<string, Error>();
  const now = { ms: 0, isAtOnce: true, version: '1', server: '1' };
  const upload = async (entry: Entry): Promise<void> => {
    tries.push(basename(entry.path));
    const fault = faults.get(basename(entry.path));
    if (fault) throw fault;
    await journal.setUploaded(entry, true);
  };
  const makeParts = () => {
    const { version } = now;
    const refused = createRefusedRecordings({ journal, log, version, serverVersion: () => now.server });
    const isAtOnce = () => now.isAtOnce;
    return {
      refused,
      queue: createUploadQueue({ journal, log, refused, upload, isAtOnce, clock: () => now.ms }),
    };
  };
  const { signal } = new AbortController();
  return { ...makeParts(), makeParts, log, lines, tries, faults, now, signal };
}

const healthOf = ({ delayed }: UploadQueue) => ({
  config: { folder, allowNetworks: [] },
  journal,
  delayed: () => delayed,
});

const uploaded = (): string[] =>
  [...journal.entries.values()].filter(({ isUploaded }) => isUploaded).map(({ path }) => basename(path));

test('a refused recording is set aside with its reason, and the others are uploaded', async () => {
  const { queue, faults, lines, tries, signal } = await makeQueue('junk.wav', 'a.wav', 'b.wav');
  faults.set('junk.wav', refusal(415, 'The file is not sound.'));
  await queue.run(signal);
  await queue.run(signal);
  expect(uploaded()).toEqual(['a.wav', 'b.wav']);
  expect(tries).toEqual(['junk.wav', 'a.wav', 'b.wav']);
  expect(lines).toEqual(['error: The platform refused junk.wav, which is set aside: The file is not sound.']);
  expect(await describeHealth(healthOf(queue))).toMatchObject({
    recordings: {
      setAside: 1,
      setAsideFiles: [{ path: join(folder, 'junk.wav'), reason: 'The file is not sound.' }],
    },
  });
});

test('a transient failure delays that recording alone, longer each time and at most ten minutes', async () => {
  const { queue, faults, tries, lines, now, signal } = await makeQueue('slow.wav', 'a.wav');
  faults.set('slow.wav', refusal(503, 'Too many uploads'));
  const delays: number[] = [];
  for (let at = 0; at < 12; at++) {
    const idleMs = await queue.run(signal);
    delays.push(idleMs);
    now.ms += idleMs;
  }
  expect(uploaded()).toEqual(['a.wav']);
  expect(tries.filter((name) => name === 'slow.wav')).toHaveLength(12);
  expect(delays[0]).toBeGreaterThan(3_000);
  expect(delays[4]).toBeGreaterThan(delays[0]! * 4);
  expect(Math.max(...delays)).toBeLessThanOrEqual(600_000);
  expect(lines).toEqual(['warning: uploading slow.wav: Too many uploads']);
  expect(await describeHealth(healthOf(queue))).toMatchObject({
    recordings: { delayed: 1, delayedFiles: [{ path: join(folder, 'slow.wav'), reason: 'Too many uploads' }] },
  });
  faults.clear();
  await queue.run(signal);
  expect(await describeHealth(healthOf(queue))).toMatchObject({ recordings: { delayed: 0, delayedFiles: [] } });
  expect(uploaded()).toEqual(['slow.wav', 'a.wav']);
});

test.each([405, 413, 200])(
  'a portal (%i) delays the queue, and nothing is held against a recording',
  async (status) => {
    const { queue, faults, tries, now, signal } = await makeQueue('a.wav', 'b.wav', 'c.wav');
    for (const name of ['a.wav', 'b.wav', 'c.wav']) faults.set(name, portal(status));
    let idleMs = await queue.run(signal);
    expect(tries).toEqual(['a.wav']);
    for (let at = 0; at < 10; at++) {
      now.ms += idleMs;
      idleMs = await queue.run(signal);
    }
    expect(tries).toHaveLength(11);
    expect(idleMs).toBeGreaterThan(400_000);
    expect([...journal.entries.values()].filter(({ setAside }) => setAside)).toEqual([]);
    faults.clear();
    // The platform has answered something else.
    queue.setReachable();
    await queue.run(signal);
    expect(uploaded()).toEqual([]);
    now.ms += 60_000;
    queue.setReachable();
    await queue.run(signal);
    expect(uploaded()).toEqual(['a.wav', 'b.wav', 'c.wav']);
  },
);

test('recordings set aside are tried again by other versions, once a day, and when asked', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const { faults, tries, now, makeParts, signal } = await makeQueue('junk.wav');
  faults.set('junk.wav', refusal(415, 'The file is not sound.'));
  now.isAtOnce = false;
  await makeParts().queue.upload([...journal.entries.values()][0]!, signal);
  const countTries = async (queue: { run(signal: AbortSignal): Promise<number> }): Promise<number> => {
    tries.length = 0;
    await queue.run(signal);
    await queue.run(signal);
    return tries.length;
  };
  // Another process, also with a clock that went back a little.
  vi.setSystemTime(Date.now() - 3_600_000);
  const { queue, refused } = makeParts();
  expect(await countTries(queue)).toBe(0);
  now.server = '2';
  expect(await countTries(queue)).toBe(1);
  vi.advanceTimersByTime(86_400_000);
  expect(await countTries(queue)).toBe(1);
  expect(refused.retryAll()).toBe(1);
  expect(await countTries(queue)).toBe(1);
  now.version = '2';
  const updated = makeParts();
  expect(await countTries(updated.queue)).toBe(1);
  expect(await countTries(updated.queue)).toBe(0);
  vi.setSystemTime(Date.now() - 7 * 86_400_000);
  faults.clear();
  expect(await countTries(makeParts().queue)).toBe(1);
  expect([...journal.entries.values()][0]).toMatchObject({ isUploaded: true, setAside: undefined });
});

test('a missing file is noted, a changed one is left to its folder, and both do not stop the next', async () => {
  const { queue, faults, lines, signal } = await makeQueue('gone.wav', 'changed.wav', 'a.wav');
  await rm(join(folder, 'gone.wav'));
  faults.set('gone.wav', new FileMissing('gone.wav is missing'));
  faults.set('changed.wav', new FileMissing('changed.wav has changed since it was announced'));
  await queue.run(signal);
  expect(uploaded()).toEqual(['a.wav']);
  expect([...journal.entries.values()].map(({ removedBecause }) => removedBecause)).toEqual([
    'missing',
    undefined,
    undefined,
  ]);
  expect(lines).toEqual([
    'error: gone.wav vanished before its upload; its sound is lost.',
    'warning: uploading changed.wav: changed.wav has changed since it was announced',
  ]);
});

test('the queue and an event that want the same recording upload it once', async () => {
  const { queue, tries, signal } = await makeQueue('a.wav');
  const [entry] = [...journal.entries.values()];
  const outcomes = await Promise.all([queue.upload(entry!, signal), queue.upload(entry!, signal), queue.run(signal)]);
  expect(outcomes.slice(0, 2)).toEqual([{ state: 'uploaded' }, { state: 'uploaded' }]);
  expect(tries).toEqual(['a.wav']);
});

test('the disk budget takes recordings that are set aside last; those that vanish are noted', async () => {
  const { queue, faults, log, lines, signal } = await makeQueue(...Array.from({ length: 12 }, (_, at) => `${at}.wav`));
  for (let at = 0; at < 12; at++) if (at !== 11) faults.set(`${at}.wav`, refusal(415, 'no sound'));
  faults.set('5.wav', refusal(503, 'later'));
  await queue.run(signal);
  lines.length = 0;
  await keepBudget({ journal, log, requireProof: async () => {}, staying: new Map() }, 10);
  const isThere = (): string[] =>
    [...journal.entries.values()]
      .filter(({ removedBecause }) => removedBecause === undefined)
      .map(({ path }) => basename(path));
  // The uploaded one went first, then the one that is not refused.
  expect(isThere()).toEqual([
    '0.wav',
    '1.wav',
    '2.wav',
    '3.wav',
    '4.wav',
    '6.wav',
    '7.wav',
    '8.wav',
    '9.wav',
    '10.wav',
  ]);
  await rm(join(folder, '3.wav'));
  await noteVanishedAside({ journal, log });
  expect(isThere()).not.toContain('3.wav');
  expect(lines.at(-1)).toBe('error: 3.wav vanished while it was set aside; its sound is lost.');
});

test('a file that could not be removed after its upload is removed later, also by another process', async () => {
  const { log, refused, now, signal } = await makeQueue('a.wav', 'kept.wav');
  const [a, kept] = [...journal.entries.values()];
  for (const entry of [a!, kept!]) await journal.setUploaded(entry, true);
  let isReadOnly = true;
  const upload = async (entry: Entry) => {
    if (isReadOnly) throw Object.assign(new Error('read-only file system'), { code: 'EROFS' });
    await journal.setRemoved(entry, 'uploaded');
  };
  const isRemovable = ({ id }: Entry) => id === a!.id;
  const parts = { journal, log, refused, upload, isAtOnce: () => false, isRemovable, clock: () => now.ms };
  const queue = createUploadQueue(parts);
  const idleMs = await queue.run(signal);
  expect(idleMs).toBeLessThanOrEqual(600_000);
  isReadOnly = false;
  now.ms += idleMs;
  await queue.run(signal);
  expect(journal.entries.get(a!.id)?.removedBecause).toBe('uploaded');
  expect(journal.entries.get(kept!.id)?.removedBecause).toBeUndefined();
});

test('a refusal that cannot be written does not stop the others', async () => {
  const { queue, faults, signal } = await makeQueue('junk.wav', 'a.wav');
  faults.set('junk.wav', refusal(415, 'The file is not sound.'));
  const full = vi.spyOn(journal, 'setAside').mockRejectedValue(new Error('no space left on device'));
  await queue.run(signal);
  full.mockRestore();
  expect(uploaded()).toEqual(['a.wav']);
});

test('servers of two versions side by side do not make a refused recording be sent again and again', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  const { queue, faults, tries, now, signal } = await makeQueue('junk.wav');
  faults.set('junk.wav', refusal(415, 'The file is not sound.'));
  for (const version of ['1', '2', '1', '2']) {
    now.server = version;
    await queue.run(signal);
  }
  expect(tries).toHaveLength(1);
  vi.advanceTimersByTime(3_600_000);
  now.server = '3';
  await queue.run(signal);
  expect(tries).toHaveLength(2);
});

test('two hundred thousand delayed recordings have a next one', () => {
  const backoff = createBackoff(() => 0);
  for (let at = 0; at < 200_000; at++) backoff.fail(String(at), new Error('later'));
  expect(backoff.nextMs()).toBeGreaterThan(0);
});
