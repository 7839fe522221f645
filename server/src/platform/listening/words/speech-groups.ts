import type { Speech } from '../embedded/gate.ts';
import { sampleRate } from '../engine.ts';

/** Stretches of speech in which words are searched together, without the pauses between them. */
export interface SpeechGroup {
  readonly stretches: readonly Speech[];
  readonly samples: number;
}

export const groupStartMs = ({ stretches }: SpeechGroup): number => toMs(stretches[0]!.startSample);
export const groupEndMs = ({ stretches }: SpeechGroup): number => toMs(endSampleOf(stretches.at(-1)!));

const toMs = (samples: number) => (samples / sampleRate) * 1_000;
const endSampleOf = ({ startSample, samples }: Speech) => startSample + samples.length;

/** Adds a stretch to the last group, or starts a new group if the last would become too long. */
export function addToGroups(groups: SpeechGroup[], speech: Speech, mostSeconds: number): void {
  const last = groups.at(-1);
  const samples = (last?.samples ?? 0) + speech.samples.length;
  if (last && samples <= mostSeconds * sampleRate) {
    groups[groups.length - 1] = { stretches: [...last.stretches, speech], samples };
  } else groups.push({ stretches: [speech], samples: speech.samples.length });
}

export function concatSamples({ stretches, samples }: SpeechGroup): Float32Array {
  const whole = new Float32Array(samples);
  let at = 0;
  for (const stretch of stretches) {
    whole.set(stretch.samples, at);
    at += stretch.samples.length;
  }
  return whole;
}

/** Converts a time in the joined stretches to a time in the clip. An end belongs to the stretch that it ends. */
export function placeInClip({ stretches }: SpeechGroup, seconds: number, isEnd: boolean): number {
  let left = seconds * sampleRate;
  for (const { startSample, samples } of stretches) {
    if (left < samples.length || (isEnd && left <= samples.length)) return toMs(startSample + left);
    left -= samples.length;
  }
  return toMs(endSampleOf(stretches.at(-1)!));
}
