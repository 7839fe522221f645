import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Recording } from '../../testing/speech.ts';
import {
  asSound,
  isSpeechInstalled,
  joinSound,
  noise,
  openTestModels,
  readRecordings,
  silence,
  speechMissing,
} from '../../testing/speech.ts';
import { silentLog } from '../../testing/log.ts';
import type { EmbeddedEngine, EmbeddedEngineOptions } from './embedded-engine.ts';
import { createEmbeddedEngine } from './embedded-engine.ts';
import type { Captions } from './engine.ts';
import { ListeningFailed } from './engine.ts';

const models = openTestModels();
const createEngine = (options: Partial<EmbeddedEngineOptions> = {}) =>
  createEmbeddedEngine({ profile: 'moonshine', models, log: silentLog, ...options });
const never = new AbortController().signal;
const wordsOf = ({ segments }: Captions) =>
  segments.flatMap(({ words }) => words.map(({ text }) => text.toLowerCase().replace(/[^a-z']/g, '')));

/** The share of the spoken words that were recognised. */
const heardShare = (captions: Captions, said: readonly string[]) => {
  const heard = wordsOf(captions);
  return said.filter((word) => heard.includes(word)).length / said.length;
};

/** One process for all tests that do not need another: each loads the models, which takes seconds of a processor. */
const shared = createEngine();
beforeAll(async () => {
  process.env['EARSHOT_SECRET_KEY'] = 'not for child processes';
  await shared.prepare(never);
}, 300_000);
afterAll(async () => {
  delete process.env['EARSHOT_SECRET_KEY'];
  await shared.close();
});

describe.runIf(isSpeechInstalled)(`speech (skipped where ${speechMissing})`, () => {
  let engine: EmbeddedEngine;
  let recordings: Recording[];
  beforeAll(() => {
    engine = createEngine({ processes: 2 });
    recordings = readRecordings();
  });
  afterAll(() => engine.close());

  test('read speech becomes words, each with its time and confidence', async () => {
    const heard: number[] = [];
    const captions = await engine.caption(asSound(recordings[4]!.samples), {
      signal: never,
      onProgress: (ms) => heard.push(ms),
    });
    expect(wordsOf(captions)).toEqual('he might even have been made amiable himself'.split(' '));
    expect(captions).toMatchObject({ language: 'en', isLanguageKnown: true, engine: { name: 'moonshine-base' } });
    const words = captions.segments.flatMap((segment) => segment.words);
    for (const [at, { startMs, endMs, confidence }] of words.entries()) {
      expect(startMs).toBeGreaterThanOrEqual(words[at - 1]?.endMs ?? 0);
      expect(endMs).toBeGreaterThan(startMs);
      expect(endMs).toBeLessThanOrEqual(captions.soundMs);
      expect(confidence).toBeGreaterThan(50);
      expect(confidence).toBeLessThanOrEqual(100);
    }
    expect(heard.at(-1)).toBe(captions.soundMs);
    expect(heard).toEqual(heard.toSorted((a, b) => a - b));
  });

  test('words have the times at which they are spoken, with any amount of silence around them', async () => {
    const [first, second] = [recordings[3]!, recordings[4]!];
    const sound = joinSound(silence(3), first.samples, silence(30), second.samples, silence(2));
    const captions = await engine.caption(asSound(sound), { signal: never });
    expect(heardShare(captions, [...first.words, ...second.words])).toBeGreaterThan(0.8);
    const firstEnd = 3 + first.samples.length / 16_000;
    for (const { words } of captions.segments) {
      for (const { startMs, endMs } of words) {
        const isInFirst = startMs >= 3_000 && endMs <= firstEnd * 1_000;
        const isInSecond = startMs >= (firstEnd + 30) * 1_000 && endMs <= captions.soundMs - 2_000;
        expect(isInFirst || isInSecond).toBe(true);
      }
    }
    expect(captions.soundMs).toBe(Math.round(sound.length / 16));
  });

  test('many clips at once share the processes, and no result contains words of another clip', async () => {
    const all = await Promise.all(recordings.map(({ samples }) => engine.caption(asSound(samples), { signal: never })));
    for (const [at, captions] of all.entries()) {
      expect(heardShare(captions, recordings[at]!.words)).toBeGreaterThan(0.7);
      expect(captions.soundMs).toBe(Math.round(recordings[at]!.samples.length / 16));
    }
    expect(engine.pids.length).toBe(2);
  });

  test('if a process is killed, only its clip fails, and that clip can be captioned again', async () => {
    const long = joinSound(...Array.from({ length: 20 }, () => recordings[4]!.samples));
    const pids: number[] = [];
    const killed = engine.caption(asSound(long), {
      signal: never,
      onProgress: (ms) => {
        if (ms > 10_000 && pids.length === 0) {
          pids.push(...engine.pids);
          for (const pid of pids) process.kill(pid, 'SIGKILL');
        }
      },
    });
    const failure = await killed.catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ListeningFailed);
    expect((failure as Error).message).toBe('the process that analysed this clip has exited: it was killed by SIGKILL');
    const again = await engine.caption(asSound(recordings[4]!.samples), { signal: never });
    expect(wordsOf(again)).toContain('amiable');
    expect(engine.pids.some((pid) => pids.includes(pid))).toBe(false);
  });
});

describe('without speech', () => {
  const engine = shared;
  const tone = silence(10).map((_, at) => 0.3 * Math.sin((2 * Math.PI * 440 * at) / 16_000));

  test.each([
    ['no sound at all', silence(0)],
    ['one sample', Float32Array.of(0.5)],
    ['silence', silence(40)],
    ['noise', noise(40)],
    ['loud noise', noise(10, 1)],
    ['a tone', tone],
    ['clipping', tone.map((value) => Math.sign(value))],
    ['not a number', silence(3).fill(Number.NaN)],
  ])('%s gives a result without words', async (_, samples) => {
    const captions = await engine.caption(asSound(samples), { signal: never });
    expect(captions).toMatchObject({ segments: [], language: undefined, isLanguageKnown: true });
    expect(captions.soundMs).toBe(Math.round(samples.length / 16));
  });

  test('sound that cannot be read to its end fails with the reason, and the process continues', async () => {
    await engine.caption(asSound(silence(1)), { signal: never });
    const [pid] = engine.pids;
    const broken = (async function* () {
      yield silence(5);
      throw new Error('the file is cut off');
    })();
    await expect(engine.caption(broken, { signal: never })).rejects.toThrow('the file is cut off');
    expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    expect(engine.pids).toEqual([pid]);
  });

  test('a cancelled clip stops, whether it is running or waiting, and the process continues', async () => {
    await engine.caption(asSound(silence(1)), { signal: never });
    const [pid] = engine.pids;
    const stop = new AbortController();
    let isReadOn = true;
    const endless = (async function* () {
      try {
        for (;;) yield silence(2);
      } finally {
        isReadOn = false;
      }
    })();
    const reason = new Error('no longer wanted');
    const running = engine.caption(endless, {
      signal: stop.signal,
      onProgress: (ms) => {
        if (ms > 20_000) stop.abort(reason);
      },
    });
    const waiting = engine.caption(asSound(silence(1)), { signal: stop.signal });
    await Promise.all([expect(running).rejects.toBe(reason), expect(waiting).rejects.toBe(reason)]);
    expect(isReadOn).toBe(false);
    expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    expect(engine.pids).toEqual([pid]);
  });

  test('a process does not get the secrets of the server, and telemetry is disabled', () => {
    const [pid] = engine.pids;
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    expect(environment.filter((entry) => /EARSHOT|HOME|PATH/.test(entry))).toEqual([]);
    // The runtime writes this file when it sends telemetry.
    expect(existsSync(join(tmpdir(), `mat-debug-${pid}.log`))).toBe(false);
  });

  test('a call with an aborted signal is refused', async () => {
    await expect(engine.caption(asSound(silence(1)), { signal: AbortSignal.abort() })).rejects.toThrow();
  });
});

describe('limits', () => {
  test('a process without progress is killed, and its clip fails with the reason', async () => {
    const engine = createEngine({ stallSeconds: 1 });
    try {
      const stopped = engine.caption(asSound(silence(60)), {
        signal: never,
        onProgress: () => void process.kill(engine.pids[0]!, 'SIGSTOP'),
      });
      await expect(stopped).rejects.toThrow('has exited: it made no progress for 1 seconds');
      expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    } finally {
      await engine.close();
    }
  });

  test('a process that uses too much memory is killed, and its clip fails with the reason', async () => {
    const engine = createEngine({ memoryMB: 50 });
    try {
      const endless = (async function* () {
        for (;;) yield silence(2);
      })();
      await expect(engine.caption(endless, { signal: never })).rejects.toThrow('it used more than 50 MB of memory');
    } finally {
      await engine.close();
    }
  });

  test('an idle process ends, and a new one is started on demand', async () => {
    const engine = createEngine({ idleSeconds: 0.2 });
    try {
      await engine.caption(asSound(silence(1)), { signal: never });
      await vi.waitFor(() => expect(engine.pids).toEqual([]), { timeout: 30_000 });
      expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    } finally {
      await engine.close();
    }
  });

  test('a process that dies while idle is replaced without affecting a clip', async () => {
    const [pid] = shared.pids;
    process.kill(pid!, 'SIGKILL');
    await vi.waitFor(() => expect(shared.pids).toEqual([]), { timeout: 30_000 });
    expect(await shared.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
  });

  test('a process that dies while it loads its models is replaced without affecting a clip', async () => {
    const engine = createEngine();
    try {
      const captions = engine.caption(asSound(silence(1)), { signal: never });
      await vi.waitFor(() => expect(engine.pids).toHaveLength(1), { timeout: 30_000, interval: 1 });
      process.kill(engine.pids[0]!, 'SIGKILL');
      expect(await captions).toMatchObject({ segments: [] });
    } finally {
      await engine.close();
    }
  });

  test('closing ends every process, and the running clip fails', async () => {
    const engine = createEngine();
    const endless = (async function* () {
      for (;;) yield silence(2);
    })();
    const running = engine.caption(endless, { signal: never });
    await vi.waitFor(() => expect(engine.pids).toHaveLength(1), { timeout: 30_000 });
    const [pid] = engine.pids;
    await sleep(10);
    await Promise.all([engine.close(), expect(running).rejects.toThrow('shut down')]);
    expect(() => process.kill(pid!, 0)).toThrow();
  });
});
