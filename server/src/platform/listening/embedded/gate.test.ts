import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Speech } from './gate.ts';
import { createGate } from './gate.ts';
import { windowSamples } from './voice-detector.ts';

/** A clip that alternates between silence and speech, in windows; each sample has the number of its window. */
const clips = fc.array(fc.record({ voice: fc.boolean(), windows: fc.integer({ min: 1, max: 900 }) }), {
  maxLength: 12,
});
const seconds = (windows: number) => (windows * windowSamples) / 16_000;

async function listenTo(parts: readonly { voice: boolean; windows: number }[]) {
  const voices = parts.flatMap(({ voice, windows }) => Array.from({ length: windows }, () => (voice ? 0.9 : 0.05)));
  const gate = createGate((window) => Promise.resolve(voices[window[0]! - 1]!), 20);
  const given: Speech[] = [];
  for (const at of voices.keys()) {
    const speech = await gate.push(new Float32Array(windowSamples).fill(at + 1));
    if (speech) given.push(speech);
  }
  given.push(...gate.end());
  return { voices, given };
}

test('all speech is returned once, in order, unchanged, and in stretches of limited length', async () => {
  await fc.assert(
    fc.asyncProperty(clips, async (parts) => {
      const { voices, given } = await listenTo(parts);
      const windows: number[] = [];
      for (const { startSample, samples } of given) {
        expect(samples.length % windowSamples).toBe(0);
        expect(samples.length / 16_000).toBeLessThan(21);
        const first = startSample / windowSamples;
        const count = samples.length / windowSamples;
        windows.push(...Array.from({ length: count }, (_, at) => first + at));
        const expected = Array.from({ length: count }, (_, at) => first + at + 1);
        expect(samples.filter((_, at) => at % windowSamples === 0)).toEqual(Float32Array.from(expected));
      }
      expect(windows).toEqual([...new Set(windows)].toSorted((a, b) => a - b));
      const isGiven = new Set(windows);
      let run: number[] = [];
      for (const [at, voice] of [...voices, 0].entries()) {
        if (voice > 0.5) run.push(at);
        // A click alone is not speech; a click beside speech may be.
        else if (seconds(run.length) >= 0.3) expect(run.filter((window) => !isGiven.has(window))).toEqual([]);
        if (voice <= 0.5) run = [];
      }
    }),
    { numRuns: 60 },
  );
});

test('silence and a click give no stretch', async () => {
  expect((await listenTo([{ voice: false, windows: 2_000 }])).given).toEqual([]);
  const click = await listenTo([
    { voice: false, windows: 100 },
    { voice: true, windows: 4 },
    { voice: false, windows: 100 },
  ]);
  expect(click.given).toEqual([]);
});

test('a short pause does not split a stretch, a long one does, and each stretch has a margin', async () => {
  const spoken = { voice: true, windows: 60 };
  const together = await listenTo([spoken, { voice: false, windows: 30 }, spoken]);
  expect(together.given).toHaveLength(1);
  const apart = await listenTo([{ voice: false, windows: 50 }, spoken, { voice: false, windows: 60 }, spoken]);
  expect(
    apart.given.map(({ startSample, samples }) => [startSample, samples.length].map((n) => n / windowSamples)),
  ).toEqual([
    [40, 80],
    [160, 70],
  ]);
});
