import type { Captions, Word } from '@earshot/server/platform/listening/engine';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';
import { addClip, isForeign, noFigures } from './speech.ts';
import { errorShare, foreignLine, inventedLine, speechTable } from './table.ts';

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

test('figures are shown in tables and lines', () => {
  const figures = {
    ...noFigures(),
    clips: 1,
    said: 100,
    missed: 12,
    use: { soundSeconds: 60, cpuSeconds: 10 },
    referenceSeconds: 2,
  };
  const [, , line] = speechTable([{ condition: 'telephone', half: 'held-out', engine: 'now', figures }]);
  expect(line).toContain('| telephone, μ-law | held-out | now | 100 (1) | 12.0 % (0, 0, 12) |');
  expect(line).toContain('6.0 (5.00)');
  const foreign = foreignLine({ clips: 4, found: 4, named: 0, englishWords: 0, ownWords: 0 });
  expect(foreign).toContain('100.0 % recognised as foreign, language named in 0.0 %');
  const sounds = { clips: 8, hours: 0.5, words: 3, clipsWithWords: 2, wordlessSpeech: 1 };
  expect(inventedLine('rain', sounds)).toContain('6.0 words per hour of sound; 3 words in 2 clips');
});

test('options choose profiles, conditions and numbers of clips', () => {
  const defaults = { profile: 'labels', sounds: '400' };
  const given = ['--profile', 'moonshine', '--conditions', 'clean,radio10,foreign', '--clips', '12'];
  expect(readOptions(given, defaults)).toEqual({
    profiles: ['moonshine'],
    labels: false,
    conditions: ['clean', 'radio10'],
    sets: ['foreign'],
    mostClips: 12,
    mostSounds: 400,
    shows: false,
    third: false,
    halves: ['development', 'held-out'],
    against: undefined,
  });
  expect(readOptions(['--third', '--show'], defaults)).toMatchObject({
    third: true,
    shows: true,
    labels: true,
    profiles: [],
  });
  expect(readOptions(['--half', 'held-out', '--against', '../before'], defaults)).toMatchObject({
    halves: ['held-out'],
    against: '../before',
  });
  expect(() => readOptions(['--conditions', 'underwater'], {})).toThrow(
    '--conditions: “underwater” is unknown; use clean',
  );
  expect(() => readOptions(['--clips', 'many'], {})).toThrow('--clips: “many” is not a number from 1');
});
