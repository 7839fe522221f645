import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Recording } from '../../testing/speech.ts';
import { asSound, joinSound, noise, openTestModels, readRecordings, silence } from '../../testing/speech.ts';
import { silentLog } from '../../testing/log.ts';
import { createEmbeddedEngine } from './embedded-engine.ts';
import type { Captions } from './engine.ts';

const never = new AbortController().signal;
const wordsOf = ({ segments }: Captions) =>
  segments.flatMap(({ words }) => words.map(({ text }) => text.toLowerCase().replace(/[^a-z']/g, '')));

/** The share of the spoken words that were recognised. */
const heardShare = (captions: Captions, said: readonly string[]) => {
  const heard = wordsOf(captions);
  return said.filter((word) => heard.includes(word)).length / said.length;
};

/**
 * One for all tests: each of its two processes loads the models, which takes seconds of a processor. How processes start
 * and end is tested with smaller models (engine-processes.test.ts).
 */
const engine = createEmbeddedEngine({
  profile: 'moonshine',
  models: openTestModels(),
  log: silentLog,
  processes: 2,
});
beforeAll(async () => {
  process.env['EARSHOT_SECRET_KEY'] = 'not for child processes';
  await engine.prepare(never);
});
afterAll(async () => {
  delete process.env['EARSHOT_SECRET_KEY'];
  await engine.close();
});

describe('speech', needs('speech'), () => {
  let recordings: Recording[];
  beforeAll(() => {
    recordings = readRecordings();
  });

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

  test('more clips than processes share them, and no result contains words of another clip', async () => {
    const some = [recordings[1]!, recordings[2]!, recordings[4]!];
    const all = await Promise.all(some.map(({ samples }) => engine.caption(asSound(samples), { signal: never })));
    for (const [at, captions] of all.entries()) {
      expect(heardShare(captions, some[at]!.words)).toBeGreaterThan(0.7);
      expect(captions.soundMs).toBe(Math.round(some[at]!.samples.length / 16));
    }
    expect(engine.pids.length).toBe(2);
  });
});

describe('without speech', () => {
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
    const { pids } = engine;
    const broken = (async function* () {
      yield silence(5);
      throw new Error('the file is cut off');
    })();
    await expect(engine.caption(broken, { signal: never })).rejects.toThrow('the file is cut off');
    expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    expect(engine.pids).toEqual(pids);
  });

  test('a cancelled clip stops, whether it is running or waiting, and the process continues', async () => {
    await engine.caption(asSound(silence(1)), { signal: never });
    const { pids } = engine;
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    let read = 0;
    const endless = async function* () {
      read += 1;
      try {
        for (;;) yield silence(2);
      } finally {
        read -= 1;
      }
    };
    // As many as there are processes.
    const running = [1, 2].map(() =>
      engine.caption(endless(), {
        signal: stop.signal,
        onProgress: (ms) => {
          if (ms > 20_000) stop.abort(reason);
        },
      }),
    );
    const waiting = engine.caption(asSound(silence(1)), { signal: stop.signal });
    await Promise.all([...running, waiting].map((clip) => expect(clip).rejects.toBe(reason)));
    expect(read).toBe(0);
    expect(await engine.caption(asSound(silence(1)), { signal: never })).toMatchObject({ segments: [] });
    expect(engine.pids).toEqual(expect.arrayContaining([...pids]));
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
