import type { Captions, Word } from '@earshot/server/platform/listening/engine';
import { expect, test } from 'vitest';
import { goals } from './goals.ts';
import { readOptions } from './options.ts';
import { addClip, isForeign, noFigures } from './speech.ts';
import { errorShare, foreignLines, inventedLine, speechTable } from './table.ts';

const word = (text: string, startMs: number, confidence = 90): Word => ({
  text,
  startMs,
  endMs: startMs + 100,
  confidence,
});
const caption = (words: readonly Word[], more: Partial<Captions> = {}): Captions => ({
  engine: { name: 'x', version: '1' },
  language: 'en',
  isLanguageKnown: true,
  segments: [{ startMs: 0, endMs: 5_000, text: '', words, confidence: 90, isLanguageKnown: true }],
  soundMs: 5_000,
  ...more,
});
const said = (text: string) => text.split(' ').map((one, at) => ({ text: one, startMs: 1_000 * at }));

test('errors, doubtful words, word times and empty clips are counted', () => {
  const figures = noFigures();
  const shown: string[] = [];
  const words = [
    word('Send', 20),
    word('Ngine', 1_000, 40),
    word('four', 2_100),
    word('now', 3_000, 60),
    word('now', 3_400),
  ];
  addClip(figures, { name: 'a', said: said('send engine 4 now') }, caption(words), (line) => shown.push(line));
  addClip(figures, { name: 'b', said: said('hello') }, caption([]), () => {});
  expect(figures).toMatchObject({
    clips: 2,
    said: 5,
    substituted: 1,
    inserted: 1,
    missed: 1,
    empty: 1,
    written: 5,
    wrong: 2,
    doubtful: 2,
  });
  expect(figures.doubtfulWrong).toBeGreaterThan(0);
  expect(figures.startErrorsMs.slice(0, 2)).toEqual([20, 100]);
  expect(errorShare(figures)).toBeCloseTo(0.6);
  expect(shown[0]).toContain('send engine four now');
});

test('foreign is another language, or one that the engine does not know', () => {
  expect(isForeign(caption([]))).toBe(false);
  expect(isForeign(caption([], { language: undefined }))).toBe(false);
  expect(isForeign(caption([], { language: 'de' }))).toBe(true);
  expect(isForeign(caption([], { language: undefined, isLanguageKnown: false }))).toBe(true);
});

test('a missed goal is marked and noted', () => {
  const judged: boolean[] = [];
  const judge = (isGood: boolean) => {
    judged.push(isGood);
    return isGood ? 'ok' : 'NOT MET';
  };
  const figures = {
    ...noFigures(),
    clips: 1,
    said: 100,
    missed: 12,
    use: { soundSeconds: 60, cpuSeconds: 10 },
    referenceSeconds: 2,
  };
  const [, , line] = speechTable(new Map([['telephone', figures]]), goals.moonshine, judge);
  expect(line).toContain('| telephone | 100 (1) | 12.0 % (0, 0, 12) | 9 %, NOT MET |');
  expect(line).toContain('6.0 (5.00)');
  expect(speechTable(new Map([['radio20', noFigures()]]), goals.moonshine, () => 'ok')[2]).toContain('| 14 %, ok |');
  const [foreign] = foreignLines(
    { clips: 4, found: 4, named: 0, englishWords: 0, ownWords: 0 },
    goals.moonshine,
    judge,
  );
  expect(foreign).toContain('100.0 % recognised as foreign (goal 95 %, ok)');
  const sounds = { clips: 8, hours: 0.5, words: 3, clipsWithWords: 2, wordlessSpeech: 1 };
  expect(inventedLine('rain', sounds, 5, judge)).toContain('6.0 words per hour of sound (goal 5, NOT MET)');
  expect(judged).toEqual([false, true, false]);
});

test('options choose profiles, conditions and numbers of clips', () => {
  expect(readOptions(['--profile', 'moonshine', '--conditions', 'clean,radio10,foreign', '--clips', '12'])).toEqual({
    profiles: ['moonshine'],
    labels: false,
    conditions: ['clean', 'radio10'],
    sets: ['foreign'],
    mostClips: 12,
    mostSounds: 400,
    shows: false,
    third: false,
  });
  expect(readOptions(['--third', '--show'])).toMatchObject({ third: true, shows: true });
  expect(() => readOptions(['--conditions', 'underwater'])).toThrow('--conditions: “underwater” is unknown; use clean');
  expect(() => readOptions(['--clips', 'many'])).toThrow('--clips: “many” is not a number from 1');
});
