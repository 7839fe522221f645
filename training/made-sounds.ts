import { sampleRate } from '@earshot/server/platform/listening/engine';
import { featureWindowSamples } from '@earshot/server/platform/listening/labels/feature-shape';

/*
 * Synthetic sounds of no class: noise of several colours, tones, hums and clicks. They are learned as a class for which
 * no label is reported; otherwise the hiss of a bad microphone would be labelled as rain.
 */

const count = 100;

/** Deterministic, and each sound is different. */
export function makeSounds(): Float32Array[] {
  return Array.from({ length: count }, (_, at) => makers[at % makers.length]!(randomFrom(at + 1)));
}

type Random = () => number;

/** Uniform, from 0 to 1. */
function randomFrom(seed: number): Random {
  let state = (seed * 2_654_435_761) % 2_147_483_647;
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  next();
  return next;
}

const between = (random: Random, low: number, high: number) => low * (high / low) ** random();

/** White noise, or darker noise with a larger share of the previous value. */
function noise(random: Random, kept: number): Float32Array {
  let last = 0;
  return new Float32Array(featureWindowSamples).map(() => (last = kept * last + (1 - kept) * (random() - 0.5)));
}

/** White noise without its dark part. */
function brightNoise(random: Random, kept: number): Float32Array {
  const source = noise(random, 0);
  let last = 0;
  return source.map((value) => value - (last = kept * last + (1 - kept) * value));
}

function tone(random: Random, hertz: number, overtones: number): Float32Array {
  const parts = Array.from({ length: overtones }, (_, at) => ({ hertz: hertz * (at + 1), level: random() / (at + 1) }));
  const hiss = between(random, 0.0001, 0.03);
  const phase = random();
  return new Float32Array(featureWindowSamples).map((_, at) => {
    const sum = parts.reduce(
      (all, part) => all + part.level * Math.sin(2 * Math.PI * ((part.hertz * at) / sampleRate + phase)),
      0,
    );
    return sum + hiss * (random() - 0.5);
  });
}

/** With random interruptions. */
function interrupted(random: Random, samples: Float32Array): Float32Array {
  const period = between(random, 0.2, 2) * sampleRate;
  const share = between(random, 0.1, 0.7);
  return samples.map((value, at) => ((at % period) / period < share ? value : value * 0.001));
}

const makers: readonly ((random: Random) => Float32Array)[] = [
  (random) => noise(random, 0),
  (random) => noise(random, between(random, 0.5, 0.99)),
  (random) => noise(random, 1 - between(random, 0.001, 0.05)),
  (random) => brightNoise(random, between(random, 0.3, 0.99)),
  (random) => tone(random, between(random, 100, 6_000), 1),
  (random) => tone(random, random() < 0.5 ? 50 : 60, 8),
  (random) => interrupted(random, tone(random, between(random, 300, 3_000), 1)),
  (random) => interrupted(random, noise(random, between(random, 0.1, 0.9))),
];
