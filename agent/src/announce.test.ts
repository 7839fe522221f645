import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { announceAll } from './announce.ts';
import { createBackoff } from './backoff.ts';
import { NotThePlatform } from './connection/network-fault.ts';
import type { Prove } from './connection/proof.ts';
import type { Journal } from './journal.ts';
import { openJournal } from './journal.ts';
import { createLog } from './log.ts';
import { createRefusedRecordings } from './set-aside.ts';
import { missing } from './vanished.ts';

let folder: string;
let journal: Journal;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-announce-'));
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
});
afterEach(async () => {
  await journal.close();
  await rm(folder, { recursive: true, force: true });
});

interface Announced {
  readonly localFilePath: string;
  readonly startTime: number;
  readonly startTimeMs: number;
}
type Answer = (clips: readonly Announced[]) => Response;

const problem = (status: number, detail: string): Response =>
  Response.json(
    { type: 'about:blank', title: 'x', status, detail },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
const take: Answer = (clips) => Response.json(clips.map(({ startTime }) => ({ key: startTime + 1_000 })));

/** Recordings that an agent announces to a platform that answers as given. */
async function announcing(count: number) {
  await journal.record(
    ...Array.from({ length: count }, (_, at) => {
      return { path: `/${at}.wav`, bytes: 1, startMs: at * 1_000, modifiedMs: 1, isOwn: false };
    }),
  );
  const lines: string[] = [];
  const platform = { answer: take, requests: 0, sounds: new Map<number, string>(), answersWhenAsked: 1 };
  let asked = 0;
  let answerAll = (): void => {};
  const allAsked = new Promise<void>((resolve) => (answerAll = resolve));
  const log = createLog((line) => lines.push(line.replace(/^\S+ /, '')));
  const refused = createRefusedRecordings({ journal, log, version: '1', serverVersion: () => '1' });
  const client = createClient({
    url: 'http://platform.test',
    fetch: async (_address, init) => {
      platform.requests += 1;
      return platform.answer(JSON.parse(init?.body as string) as Announced[]);
    },
  });
  const prove: Prove = async (clipID, sha256) => {
    if ((asked += 1) >= platform.answersWhenAsked) answerAll();
    await allAsked;
    return platform.sounds.get(clipID) === sha256 ? 'stored' : 'missing';
  };
  const backoff = createBackoff();
  const parts = { client, deviceSerial: 'recorder', journal, refused, backoff, log, prove };
  return { lines, platform, refused, backoff, announce: () => announceAll(parts, new AbortController().signal) };
}

const open = (): string[] =>
  [...journal.entries.values()].filter(({ clipID }) => clipID === undefined).map(({ path }) => path);

test('one recording that is refused is set aside, and all others are announced with few requests', async () => {
  const { platform, announce, lines, refused } = await announcing(450);
  platform.answer = (clips) =>
    clips.some(({ localFilePath }) => localFilePath === '/77.wav') ? problem(400, 'startTime is odd') : take(clips);
  await announce();
  expect(open()).toEqual(['/77.wav']);
  expect(platform.requests).toBeLessThan(25);
  expect(lines).toEqual(['error: The platform refused /77.wav, which is set aside: startTime is odd']);
  platform.requests = 0;
  await announce();
  expect(platform.requests).toBe(0);
  platform.answer = take;
  refused.retryAll();
  await announce();
  expect(open()).toEqual([]);
});

test('one recording that breaks the platform waits alone; if all do, announcing waits', async () => {
  const { platform, announce, lines } = await announcing(20);
  platform.answer = (clips) =>
    clips.some(({ localFilePath }) => localFilePath === '/7.wav') ? problem(500, 'Internal error') : take(clips);
  await announce();
  expect(open()).toEqual(['/7.wav']);
  expect(lines).toEqual(['warning: announcing /7.wav: Internal error']);
  await journal.record({ path: '/new.wav', bytes: 1, startMs: 99_000, modifiedMs: 1, isOwn: false });
  await announce();
  expect(open()).toEqual(['/7.wav']);
});

test('recordings that a filter on the way refuses wait, however many, and all others are announced', async () => {
  const { platform, announce, lines, backoff } = await announcing(300);
  const isRefused = ({ localFilePath }: Announced) => localFilePath.startsWith('/1') && localFilePath !== '/1.wav';
  platform.answer = (clips) => {
    if (clips.some(isRefused)) throw Object.assign(new NotThePlatform(403, 'platform.test'), { platformAnswers: true });
    return take(clips);
  };
  // Several in a row may be a fault of the platform: then announcing waits a while, and goes on behind them.
  for (let round = 0; round < 60; round++) await announce().catch(() => {});
  expect(open()).toHaveLength(110);
  expect(open().every((path) => path.startsWith('/1'))).toBe(true);
  expect(lines).toHaveLength(110);
  expect(lines[0]).toContain('status 403 comes from something on the way');
  expect(backoff.reasons.get('/199.wav')).toContain('status 403');
  await journal.record({ path: '/new.wav', bytes: 1, startMs: 999_000, modifiedMs: 1, isOwn: false });
  platform.requests = 0;
  await announce();
  expect([platform.requests, journal.findByPath('/new.wav')?.clipID]).toEqual([1, 1_999]);
  platform.answer = take;
  backoff.clear();
  await announce();
  expect([open(), backoff.reasons.size]).toEqual([[], 0]);
});

test.each([
  ['a portal', new NotThePlatform(413, 'platform.test')],
  ['no network', new TypeError('fetch failed')],
])('%s is no refusal: everything is announced after it', async (_name, fault) => {
  const { platform, announce } = await announcing(3);
  platform.answer = () => {
    throw fault;
  };
  await expect(announce()).rejects.toThrow(fault.message);
  expect(platform.requests).toBeLessThan(10);
  expect([...journal.entries.values()].filter(({ setAside, clipID }) => setAside ?? clipID)).toEqual([]);
  platform.answer = take;
  await announce();
  expect(open()).toEqual([]);
});

test('an answer without the clips announces nothing', async () => {
  const { platform, announce } = await announcing(3);
  platform.answer = () => Response.json({ message: 'Please sign in' });
  await expect(announce()).rejects.toThrow('lacks the key of a clip');
  expect(open()).toHaveLength(3);
});

test('a recording whose start another recording of the platform has begins a millisecond later', async () => {
  const { platform, announce, lines } = await announcing(1);
  const file = { bytes: 1, modifiedMs: 1, isOwn: true };
  await journal.record(
    { ...file, path: '/same.wav', startMs: 50_000, sha256: 'a'.repeat(64) },
    { ...file, path: '/other.wav', startMs: 60_000, sha256: 'b'.repeat(64) },
  );
  // The platform has sound of both starts: that of the first, and of something else.
  platform.sounds.set(50_000, 'a'.repeat(64)).set(60_000, 'c'.repeat(64));
  platform.answer = (clips) =>
    Response.json(
      clips.map(({ startTime, startTimeMs }) => {
        const key = startTime * 1_000 + startTimeMs + 1;
        return platform.sounds.has(key - 1) ? { key: key - 1, audioClipStatus: 3 } : { key, audioClipStatus: 0 };
      }),
    );
  await announce();
  expect(journal.findByPath('/same.wav')).toMatchObject({ startMs: 50_000, clipID: 50_000 });
  expect(journal.findByPath('/other.wav')).toMatchObject({ startMs: 60_001, givenStartMs: 60_000, clipID: 60_002 });
  expect(lines).toEqual(['warning: The platform has another recording of the start of /other.wav, which is moved.']);
  await journal.close();
  journal = await openJournal({ path: join(folder, 'journal'), onDamage: () => {} });
  expect(journal.findByPath('/other.wav')).toMatchObject({ startMs: 60_001, clipID: 60_002 });
});

test('an agent that has lost its journal asks for the proofs of one announcement together', async () => {
  const { platform, announce } = await announcing(0);
  const starts = [50_000, 60_000, 70_000];
  await journal.record(
    ...starts.map((startMs) => {
      const sha256 = String(startMs).padStart(64, '0');
      platform.sounds.set(startMs, sha256);
      return { path: `/${startMs}.wav`, bytes: 1, modifiedMs: 1, isOwn: true, startMs, sha256 };
    }),
  );
  platform.answer = (clips) =>
    Response.json(clips.map(({ startTime }) => ({ key: startTime * 1_000, audioClipStatus: 3 })));
  // No answer comes before all are asked for.
  platform.answersWhenAsked = starts.length;
  await announce();
  expect(open()).toEqual([]);
});

test('a recording that vanishes while others are announced is not announced', async () => {
  const { platform, announce } = await announcing(450);
  const announced: string[] = [];
  let vanishing: Promise<void> | undefined;
  platform.answer = (clips) => {
    vanishing ??= journal.setRemoved({ id: '/300.wav' }, missing);
    announced.push(...clips.map(({ localFilePath }) => localFilePath));
    return take(clips);
  };
  await announce();
  await vanishing;
  expect(open()).toEqual(['/300.wav']);
  expect(announced).toHaveLength(449);
  expect(platform.requests).toBe(3);
});
