import { needs } from '../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import type { Recording } from '../../testing/speech.ts';
import { asSound, joinSound, noise, openTestModels, readRecordings, silence } from '../../testing/speech.ts';
import { createWordAligner } from './embedded-engine.ts';
import type { GivenWord, Word } from './engine.ts';
import { ListeningFailed } from './engine.ts';

const never = new AbortController().signal;
const aligner = createWordAligner({ models: openTestModels(), log: silentLog });
const align = (samples: Float32Array, words: readonly GivenWord[]) =>
  aligner.align(asSound(samples), words, { signal: never });
const given = (words: readonly string[]): GivenWord[] => words.map((text) => ({ text }));

/** Checks that the result has exactly the words, in order and within the sound. */
function expectOrder(words: readonly Word[], texts: readonly string[], samples: Float32Array): void {
  expect(words.map(({ text }) => text)).toEqual(texts);
  let last = 0;
  for (const { startMs, endMs, confidence } of words) {
    expect(startMs).toBeGreaterThanOrEqual(last);
    expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(confidence).toBeGreaterThanOrEqual(0);
    expect(confidence).toBeLessThanOrEqual(100);
    last = endMs;
  }
  expect(last).toBeLessThanOrEqual(Math.round(samples.length / 16));
}

beforeAll(() => aligner.prepare(never), 300_000);
afterAll(() => aligner.close());

describe('spoken words', needs('speech'), () => {
  let first: Recording;
  let second: Recording;
  beforeAll(() => {
    const recordings = readRecordings();
    [first, second] = [recordings[3]!, recordings[4]!];
  });

  test('each gets the time at which it is spoken, without given times and after any pause', async () => {
    const sound = joinSound(silence(2), first.samples, silence(40), second.samples);
    const texts = [...first.words, ...second.words];
    const words = await align(sound, given(texts));
    expectOrder(words, texts, sound);
    const secondStart = 42_000 + first.samples.length / 16;
    for (const [at, { startMs, endMs, confidence }] of words.entries()) {
      const isFirst = at < first.words.length;
      expect(startMs).toBeGreaterThanOrEqual(isFirst ? 2_000 : secondStart);
      if (isFirst) expect(endMs).toBeLessThanOrEqual(2_000 + first.samples.length / 16);
      expect(confidence).toBeGreaterThan(0);
    }
  });

  test('a corrected word gets the time of the word that it replaces, and the others keep theirs', async () => {
    const before = await align(second.samples, given(second.words));
    const put = second.words.map((text) => (text === 'amiable' ? 'Amiable,' : text));
    const after = await align(
      second.samples,
      put.map((text, at) => ({ text, ...(text === 'Amiable,' ? {} : before[at]) })),
    );
    expectOrder(after, put, second.samples);
    for (const [at, { startMs, endMs }] of after.entries()) {
      expect(Math.abs(startMs - before[at]!.startMs)).toBeLessThan(50);
      expect(Math.abs(endMs - before[at]!.endMs)).toBeLessThan(50);
    }
  });

  test('words in unknown scripts are placed between their neighbours with confidence 0', async () => {
    const texts = [...second.words.slice(0, 4), '中文', ...second.words.slice(4)];
    const words = await align(second.samples, given(texts));
    expectOrder(words, texts, second.samples);
    expect(words[4]).toMatchObject({ startMs: words[3]!.endMs, endMs: words[5]!.startMs, confidence: 0 });
    expect(words[5]!.confidence).toBeGreaterThan(0);
  });

  test('with more speech than is matched at once, words are assigned by the given times of some of them', async () => {
    const part = joinSound(second.samples, silence(1.5));
    const rounds = 22;
    const sound = joinSound(...Array.from({ length: rounds }, () => part));
    const partMs = part.length / 16;
    const texts = Array.from({ length: rounds }, () => second.words).flat();
    // Only the first word of each round has a time, and a rough one.
    const words = await align(
      sound,
      texts.map((text, at) => {
        const round = Math.floor(at / second.words.length);
        return at % second.words.length === 0 ? { text, startMs: round * partMs + 300 } : { text };
      }),
    );
    expectOrder(words, texts, sound);
    for (const [at, { startMs, endMs }] of words.entries()) {
      const round = Math.floor(at / second.words.length);
      expect(startMs).toBeGreaterThanOrEqual(round * partMs);
      expect(endMs).toBeLessThanOrEqual((round + 1) * partMs);
    }
  });

  test('a word whose own time is outside of speech keeps its time', async () => {
    const sound = joinSound(second.samples, silence(30));
    const texts = [...second.words, 'applause'];
    const timed = [...given(second.words), { text: 'applause', startMs: 20_000, endMs: 21_000 }];
    const words = await align(sound, timed);
    expectOrder(words, texts, sound);
    expect(words.at(-1)).toEqual({ text: 'applause', startMs: 20_000, endMs: 21_000, confidence: 0 });
    expect(words.at(-2)!.endMs).toBeLessThanOrEqual(second.samples.length / 16);
  });

  test('invalid times are ignored', async () => {
    const nonsense = [Number.NaN, -5, Infinity, 9e15, 3, 1, 0, 2];
    const words = await align(
      second.samples,
      second.words.map((text, at) => ({ text, startMs: nonsense[at]!, endMs: nonsense[at]! - 1 })),
    );
    expectOrder(words, second.words, second.samples);
    expect(words.some(({ confidence }) => confidence > 0)).toBe(true);
  });
});

test.each([
  ['no sound at all', silence(0)],
  ['silence', silence(20)],
  ['noise', noise(10)],
  ['not a number', silence(3).fill(Number.NaN)],
])('%s: the words are distributed over the sound in order, with confidence 0', async (_, samples) => {
  const texts = ['nobody', 'says', 'this'];
  const words = await align(samples, given(texts));
  expectOrder(words, texts, samples);
  expect(words.map(({ confidence }) => confidence)).toEqual([0, 0, 0]);
});

test('no words give an empty result', async () => {
  expect(await align(noise(2), [])).toEqual([]);
});

test('a cancelled clip stops, and if a process is killed, only its clip fails', async () => {
  const endless = () =>
    (async function* () {
      for (;;) yield silence(2);
    })();
  const stop = new AbortController();
  const reason = new Error('no longer wanted');
  const cancelled = aligner.align(endless(), given(['word']), {
    signal: stop.signal,
    onProgress: (ms) => {
      if (ms > 5_000) stop.abort(reason);
    },
  });
  await expect(cancelled).rejects.toBe(reason);
  const killed = aligner.align(endless(), given(['word']), {
    signal: never,
    onProgress: (ms) => {
      if (ms > 5_000) for (const pid of aligner.pids) process.kill(pid, 'SIGKILL');
    },
  });
  await expect(killed).rejects.toBeInstanceOf(ListeningFailed);
  expect(await align(silence(1), given(['word']))).toHaveLength(1);
});
