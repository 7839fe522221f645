import type { Label, Stretch } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import type { ClassifySound } from './classifier.ts';
import type { EncodeSound } from './encoder.ts';
import { leastSamples, featureWindowSamples } from './feature-shape.ts';
import { computeFeatures } from './features.ts';
import { LabelSpans } from './label-spans.ts';
import { meanSquareOf, silenceDb, toDb } from './level.ts';
import { noSound } from './sound-names.ts';

/*
 * Environmental sounds: windows of five seconds, each half overlapping the previous one, are classified. A label is
 * reported only if it is more likely right than wrong. A window with more than a fifth of speech is ignored: no learned
 * sound other than a voice is taken for speech for that long, and voices must not be labelled as animals.
 */

const hopSamples = featureWindowSamples / 2;
const leastConfidence = 50;
const mostSpeech = 0.2;
/** The resolution of the edges of a label. */
const edgeSamples = sampleRate / 10;

/** The classification of a window, if it contains no speech. */
interface Guess {
  readonly name: string;
  readonly confidence: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly window: Stretch;
}

export interface EnvironmentDetector {
  /** The next samples of the clip, and whether they contain a voice. */
  push(samples: Float32Array, isVoice: boolean): Promise<void>;
  /** The labels outside of speech, at the end of the clip. */
  end(speech: readonly Stretch[], soundMs: number): Promise<Label[]>;
}

const toMs = (samples: number) => (samples / sampleRate) * 1_000;

export function createEnvironmentDetector(
  encode: EncodeSound,
  classify: ClassifySound,
  sounds: readonly string[],
): EnvironmentDetector {
  const window = new Float32Array(featureWindowSamples);
  const voices: boolean[] = [];
  const guesses: Guess[] = [];
  let filled = 0;
  let processedSamples = 0;
  /** The end of the last classified window. */
  let judged = 0;

  const judge = async () => {
    judged = processedSamples;
    const samples = window.slice(0, filled);
    const startSample = processedSamples - filled;
    const sounding = findSound(samples);
    if (!sounding || filled < leastSamples) return;
    // Windows that the gate will probably take for speech need not be classified.
    if (voices.filter(Boolean).length > voices.length / 2) return;
    const shares = classify(await computeFeatures(encode, samples));
    const stretch = { startMs: toMs(startSample), endMs: toMs(processedSamples) };
    for (const [at, share] of shares.entries()) {
      const confidence = 100 * share;
      if (confidence < leastConfidence || sounds[at] === noSound) continue;
      const [startMs, endMs] = [toMs(startSample + sounding.start), toMs(startSample + sounding.end)];
      guesses.push({ name: sounds[at]!, confidence, startMs, endMs, window: stretch });
    }
  };

  return {
    async push(samples, isVoice) {
      for (let at = 0; at < samples.length;) {
        const taken = samples.subarray(at, at + featureWindowSamples - filled);
        window.set(taken, filled);
        at += taken.length;
        filled += taken.length;
        processedSamples += taken.length;
        if (filled < featureWindowSamples) continue;
        await judge();
        window.copyWithin(0, hopSamples);
        filled = featureWindowSamples - hopSamples;
        voices.splice(0, voices.length / 2);
      }
      voices.push(isVoice);
    },
    async end(speech, soundMs) {
      // The samples after the last whole window, together with the kept samples before them.
      if (processedSamples > judged) await judge();
      const spans = new Map<string, LabelSpans>();
      for (const { name, startMs, endMs, confidence, window: stretch } of guesses) {
        if (shareOf(stretch, speech) >= mostSpeech) continue;
        const span = spans.get(name) ?? new LabelSpans(name);
        span.add(startMs, endMs, confidence);
        spans.set(name, span);
      }
      return [...spans.values()].flatMap((span) => span.list(soundMs));
    },
  };
}

/** The share of a stretch that the others cover. */
function shareOf({ startMs, endMs }: Stretch, others: readonly Stretch[]): number {
  const covered = others.reduce(
    (sum, other) => sum + Math.max(0, Math.min(endMs, other.endMs) - Math.max(startMs, other.startMs)),
    0,
  );
  return covered / (endMs - startMs);
}

/** From the first to the last sample of a window that is not silent. */
function findSound(samples: Float32Array): { readonly start: number; readonly end: number } | undefined {
  let start: number | undefined;
  let end = 0;
  for (let at = 0; at < samples.length; at += edgeSamples) {
    const moment = samples.subarray(at, at + edgeSamples);
    if (toDb(meanSquareOf(moment)) < silenceDb) continue;
    start ??= at;
    end = at + moment.length;
  }
  return start === undefined ? undefined : { start, end };
}
