import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { needs } from '../../testing/needs.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { recordingLog, silentLog } from '../../testing/log.ts';
import { asSound, joinSound, noise, openTestModels, readRecordings, silence, speak } from '../../testing/speech.ts';
import type { Labels } from './engine.ts';
import { EngineUnavailable, ListeningFailed } from './engine.ts';
import { createLabelEngine, ownWeights } from './label-engine.ts';

const never = new AbortController().signal;
const models = openTestModels();
const engine = createLabelEngine({ models, atOnce: 1 }, silentLog);
const label = (samples: Float32Array) => engine.label(asSound(samples), { signal: never });
const namesOf = ({ labels }: Labels) => [...new Set(labels.map(({ name }) => name))].toSorted();
const ofSignal = new Set(['silence', 'loud', 'clipping', 'tone']);

beforeAll(() => engine.prepare(never), 300_000);
afterAll(() => engine.close());

const tone = silence(6).map((_, at) => 0.2 * Math.sin((2 * Math.PI * 800 * at) / 16_000));

test.each([
  ['no sound at all', silence(0), []],
  ['one sample', Float32Array.of(0.5), []],
  ['digital silence', silence(20), ['silence']],
  ['not a number', silence(3).fill(Number.NaN), ['silence']],
  ['beyond all measure', silence(6).fill(1e30), ['clipping', 'loud']],
  ['noise', noise(20), []],
  ['a tone', tone, ['tone']],
])('%s gives only level labels, and no environmental sound', async (_, samples, names) => {
  const result = await label(samples);
  expect(namesOf(result)).toEqual(names);
  expect(result.soundMs).toBe(Math.round(samples.length / 16));
});

/** A melody of harmonic tones, each with the attack of a brass instrument. */
const melody = silence(10).map((_, at) => {
  const [seconds, notes] = [at / 16_000, [349, 440, 523, 440, 587, 523, 440, 349]];
  const inNote = seconds % 0.6;
  const hertz = notes[Math.floor(seconds / 0.6) % notes.length]!;
  const level = Math.min(1, inNote / 0.05) * Math.min(1, (0.6 - inNote) / 0.08);
  const tones = [1, 0.8, 0.9, 0.6, 0.4, 0.3, 0.2].map(
    (share, above) => share * Math.sin(2 * Math.PI * hertz * (above + 1) * seconds),
  );
  return 0.1 * level * tones.reduce((sum, value) => sum + value, 0);
});

test('a melody is not taken for an animal, a child or a siren', async () => {
  const names = namesOf(await label(melody)).filter((name) => !ofSignal.has(name));
  expect(['', 'music']).toContain(names.join());
});

test('a label is within the sound and has a confidence', async () => {
  const { labels } = await label(joinSound(noise(2), silence(3), tone));
  expect(labels.map(({ name }) => name)).toEqual(['silence', 'tone']);
  for (const { confidence, startMs, endMs } of labels) {
    expect(confidence).toBeGreaterThanOrEqual(50);
    expect(confidence).toBeLessThanOrEqual(100);
    expect(startMs).toBeGreaterThanOrEqual(0);
    expect(endMs).toBeGreaterThan(startMs);
    expect(endMs).toBeLessThanOrEqual(11_000);
  }
});

test('progress is reported to the end, and the same sound gives the same labels', async () => {
  const heard: number[] = [];
  const listening = { signal: never, onProgress: (ms: number) => void heard.push(ms) };
  const first = await engine.label(asSound(tone), listening);
  expect(heard.at(-1)).toBe(6_000);
  expect(heard.length).toBeGreaterThan(2);
  expect(await engine.label(asSound(tone, 100), { signal: never })).toEqual(first);
});

describe('speech', needs('speech'), () => {
  test('is labelled as speech at its time, and gets no label of an environmental sound', async () => {
    const { samples } = readRecordings()[3]!;
    const result = await label(joinSound(silence(6), samples, silence(6)));
    expect(namesOf(result).filter((name) => !ofSignal.has(name))).toEqual(['speech']);
    const [speech, ...others] = result.labels.filter(({ name }) => name === 'speech');
    expect(others).toEqual([]);
    expect(speech!.confidence).toBeGreaterThan(50);
    expect(speech!.startMs).toBeGreaterThan(5_000);
    expect(speech!.endMs).toBeLessThan(7_000 + samples.length / 16);
  });

  test('is labelled in another language with a synthetic voice', async () => {
    const german = speak('de', 'Guten Morgen. Das Wetter ist heute sehr schön, und wir gehen in den Wald spazieren.');
    expect(namesOf(await label(german)).filter((name) => !ofSignal.has(name))).toEqual(['speech']);
  });
});

describe('failures', () => {
  const endless = () =>
    (async function* () {
      for (;;) yield noise(2);
    })();

  test('a cancelled clip stops, and the process continues', async () => {
    await label(silence(1));
    const { pids } = engine;
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    const onProgress = (ms: number) => {
      if (ms > 6_000) stop.abort(reason);
    };
    await expect(engine.label(endless(), { signal: stop.signal, onProgress })).rejects.toBe(reason);
    expect(namesOf(await label(silence(2)))).toEqual(['silence']);
    expect(engine.pids).toEqual(pids);
  });

  test('if a process is killed, only its clip fails', async () => {
    const onProgress = (ms: number) => {
      if (ms > 6_000) for (const pid of engine.pids) process.kill(pid, 'SIGKILL');
    };
    const killed = engine.label(endless(), { signal: never, onProgress });
    await expect(killed).rejects.toBeInstanceOf(ListeningFailed);
    expect(namesOf(await label(silence(2)))).toEqual(['silence']);
  });

  const damages: readonly (readonly [string, (text: string) => string, string])[] = [
    ['cut off', (text) => text.slice(0, -1_000), 'is damaged or not a file of weights'],
    ['changed in one letter', (text) => text.replace(/("weights": ".{500})./, '$1_'), 'is damaged'],
    ['of another version', (text) => text.replace('"featureVersion": ', '"featureVersion": 9'), 'another version'],
    ['empty', () => '', 'is damaged or not a file of weights'],
  ];
  test.each(damages)(
    'a file of weights that is %s gives one line in the log, and each clip fails with the reason',
    async (_, damage, reason) => {
      const folder = await mkdtemp(join(tmpdir(), 'earshot-weights-'));
      const weightsPath = join(folder, 'weights.json');
      const text = await readFile(ownWeights, 'utf8');
      await writeFile(weightsPath, damage(text));
      const log = recordingLog();
      const broken = createLabelEngine({ models, atOnce: 2, weightsPath }, log);
      try {
        for (const clip of [1, 2].map(() => broken.label(asSound(silence(1)), { signal: never }))) {
          const failure = await clip.catch((error: unknown) => error as Error);
          expect(failure).toBeInstanceOf(EngineUnavailable);
          expect((failure as Error).message).toContain(reason);
        }
        expect(log.lines).toHaveLength(1);
        expect(log.lines[0]!.message).toMatch(/^no labels at present: the label weights cannot be used/);
        expect(broken.pids).toEqual([]);
      } finally {
        await broken.close();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  test('closing ends every process', async () => {
    const another = createLabelEngine({ models, atOnce: 1 }, silentLog);
    const running = another.label(endless(), { signal: never });
    await vi.waitFor(() => expect(another.pids).toHaveLength(1));
    const [pid] = another.pids;
    await Promise.all([another.close(), expect(running).rejects.toThrow('shut down')]);
    expect(() => process.kill(pid!, 0)).toThrow();
  });
});
