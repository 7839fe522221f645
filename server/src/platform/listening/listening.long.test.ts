import { setTimeout as sleep } from 'node:timers/promises';
import { needs } from '../../testing/needs.ts';
import { describe, expect, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { asSound, joinSound, noise, openTestModels, readRecordings, silence, speak } from '../../testing/speech.ts';
import { createEmbeddedEngine } from './embedded-engine.ts';
import type { Captions } from './engine.ts';
import { ListeningFailed } from './engine.ts';

const never = new AbortController().signal;
const models = openTestModels();
const kills = 10;
const plain = (text: string) => text.toLowerCase().replace(/[^a-z ]/g, '');
const textOf = ({ segments }: Captions) => segments.map(({ text }) => text).join(' ');

describe('long-running tests', needs('speech'), () => {
  test('if processes are killed at random ten times, each clip gets the same caption as without', async () => {
    const engine = createEmbeddedEngine({ profile: 'moonshine', models, log: silentLog, processes: 2 });
    try {
      const recordings = readRecordings();
      const expected: string[] = [];
      for (const { samples } of recordings)
        expected.push(textOf(await engine.caption(asSound(samples), { signal: never })));
      let failures = 0;
      const listenUntilDone = async (samples: Float32Array): Promise<string> => {
        try {
          return textOf(await engine.caption(asSound(samples), { signal: never }));
        } catch (error) {
          expect(error).toBeInstanceOf(ListeningFailed);
          failures += 1;
          if (failures > kills) throw error;
          return listenUntilDone(samples);
        }
      };
      const listening = Promise.all(
        Array.from({ length: 200 }, (_, at) => listenUntilDone(recordings[at % recordings.length]!.samples)),
      );
      const killing = async () => {
        for (let kill = 0; kill < kills; kill++) {
          await sleep(2_000 + Math.random() * 5_000);
          const pid = engine.pids[Math.floor(Math.random() * engine.pids.length)];
          if (pid !== undefined) process.kill(pid, 'SIGKILL');
        }
      };
      const [texts] = await Promise.all([listening, killing()]);
      expect(texts).toEqual(Array.from({ length: 200 }, (_, at) => expected[at % recordings.length]));
      expect(failures).toBeLessThanOrEqual(kills);
    } finally {
      await engine.close();
    }
  });

  test('Whisper small transcribes English and German, each in its language, and writes nothing without speech', async () => {
    const engine = createEmbeddedEngine({ profile: 'whisper', models, log: silentLog });
    try {
      const { words, samples } = readRecordings()[4]!;
      const english = await engine.caption(asSound(joinSound(silence(2), samples)), { signal: never });
      expect(english).toMatchObject({ language: 'en', isLanguageKnown: true, engine: { name: 'whisper-small' } });
      expect(plain(textOf(english))).toBe(words.join(' '));
      const spoken = english.segments.flatMap((segment) => segment.words);
      for (const [at, { startMs, endMs }] of spoken.entries()) {
        expect(startMs).toBeGreaterThanOrEqual(spoken[at - 1]?.endMs ?? 2_000);
        expect(endMs).toBeGreaterThan(startMs);
        expect(endMs).toBeLessThanOrEqual(english.soundMs);
      }
      const said = 'Guten Morgen. Das Wetter ist heute sehr schön, und wir gehen zusammen in den Wald.';
      const german = await engine.caption(asSound(speak('de', said)), { signal: never });
      expect(german).toMatchObject({ language: 'de', isLanguageKnown: true });
      expect(textOf(german).toLowerCase()).toMatch(/wetter|morgen|heute|wald/);
      for (const sound of [silence(40), noise(40), noise(10, 1)]) {
        expect(await engine.caption(asSound(sound), { signal: never })).toMatchObject({ segments: [] });
      }
    } finally {
      await engine.close();
    }
  });
});
