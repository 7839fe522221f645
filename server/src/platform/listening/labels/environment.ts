import type { Label, Stretch } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import type { ClassifySound } from './classifier.ts';
import type { EncodeSound } from './encoder.ts';
import { leastSamples, windowSamples } from './feature-shape.ts';
import { computeFeatures } from './features.ts';
import { LabelSpans } from './label-spans.ts';
import { meanSquareOf, silenceDb, toDb } from './level.ts';
import { noSound } from './sound-names.ts';

/*
 * The sounds around: windows of five seconds, each half over the one before, are compared with what was learnt. Only what
 * is more likely right than wrong is said. A window that is a fifth speech says nothing: of the sounds that were learnt,
 * none that is not a voice is taken for speech for so long, and voices are not to be called pigs.
 */

const hopSamples = windowSamples / 2;
const leastConfidence = 50;
const mostSpeech = 0.2;
/** Of which the edges of a label are told. */
const edgeSamples = sampleRate / 10;

/** What a window sounds like, if nobody speaks there. */
interface Guess {
  readonly name: string;
  readonly confidence: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly window: Stretch;
}

export interface EnvironmentEar {
  /** The next samples of the clip, and whether there is a voice in them. */
  hear(samples: Float32Array, isVoice: boolean): Promise<void>;
  /** What was heard where nobody speaks, when the clip has ended. */
  end(speech: readonly Stretch[], soundMs: number): Promise<Label[]>;
}

const toMs = (samples: number) => (samples / sampleRate) * 1_000;

export function createEnvironmentEar(
  encode: EncodeSound,
  classify: ClassifySound,
  sounds: readonly string[],
): EnvironmentEar {
  const window = new Float32Array(windowSamples);
  const voices: boolean[] = [];
  const guesses: Guess[] = [];
  let filled = 0;
  let heard = 0;
  /** Where the last window that was looked at ended. */
  let judged = 0;

  const judge = async () => {
    judged = heard;
    const samples = window.slice(0, filled);
    const startSample = heard - filled;
    const sounding = findSound(samples);
    if (!sounding || filled < leastSamples) return;
    // What the gate will most likely take for speech need not be looked at.
    if (voices.filter(Boolean).length > voices.length / 2) return;
    const shares = classify(await computeFeatures(encode, samples));
    const stretch = { startMs: toMs(startSample), endMs: toMs(heard) };
    for (const [at, share] of shares.entries()) {
      const confidence = 100 * share;
      if (confidence < leastConfidence || sounds[at] === noSound) continue;
      const [startMs, endMs] = [toMs(startSample + sounding.start), toMs(startSample + sounding.end)];
      guesses.push({ name: sounds[at]!, confidence, startMs, endMs, window: stretch });
    }
  };

  return {
    async hear(samples, isVoice) {
      for (let at = 0; at < samples.length;) {
        const taken = samples.subarray(at, at + windowSamples - filled);
        window.set(taken, filled);
        at += taken.length;
        filled += taken.length;
        heard += taken.length;
        if (filled < windowSamples) continue;
        await judge();
        window.copyWithin(0, hopSamples);
        filled = windowSamples - hopSamples;
        voices.splice(0, voices.length / 2);
      }
      voices.push(isVoice);
    },
    async end(speech, soundMs) {
      // What came after the last whole window, with as much before it as was kept.
      if (heard > judged) await judge();
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

/** How much of a stretch the others cover. */
function shareOf({ startMs, endMs }: Stretch, others: readonly Stretch[]): number {
  const covered = others.reduce(
    (sum, other) => sum + Math.max(0, Math.min(endMs, other.endMs) - Math.max(startMs, other.startMs)),
    0,
  );
  return covered / (endMs - startMs);
}

/** From the first to the last moment of a window that is no silence. */
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
