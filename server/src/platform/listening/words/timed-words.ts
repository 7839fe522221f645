import type { Aligner } from '../embedded/aligner.ts';
import type { Word } from '../engine.ts';
import type { ExpectedWord } from './given-words.ts';
import { sumUp } from './given-words.ts';
import type { SpeechGroup } from './speech-groups.ts';
import { groupEndMs, concatSamples, placeInClip, groupStartMs } from './speech-groups.ts';
import { sampleRate } from '../engine.ts';

/** A time and its confidence, 0 to 1. */
export interface Timed {
  readonly startMs: number;
  readonly endMs: number;
  readonly fit: number;
}

/** A word whose own time is further from the speech than this keeps its time. */
const nearMs = 3_000;

/** The times of the words of a group. */
export function timeGroupWords(aligner: Aligner, group: SpeechGroup, words: readonly ExpectedWord[]): Timed[] {
  const isNear = ({ known }: ExpectedWord) =>
    !known || (known.startMs <= groupEndMs(group) + nearMs && known.endMs >= groupStartMs(group) - nearMs);
  const near = words.filter(isNear);
  const found =
    near.length > 0
      ? aligner.align(
          concatSamples(group),
          near.map(({ text }) => text),
        )?.words
      : undefined;
  const places = (found ?? spreadEvenly(near, group.samples / sampleRate)).map(
    ({ startSeconds, endSeconds, fit }): Timed => ({
      startMs: placeInClip(group, startSeconds, false),
      endMs: placeInClip(group, endSeconds, true),
      fit,
    }),
  );
  let next = 0;
  return words.map((word) => {
    const place = isNear(word) ? places[next++]! : undefined;
    const isGuess = !place || (!found && word.known);
    return isGuess ? { ...word.known!, fit: 0 } : place;
  });
}

function spreadEvenly(words: readonly ExpectedWord[], seconds: number) {
  return spread(words, 0, seconds * 1_000).map(({ startMs, endMs, fit }) => ({
    startSeconds: startMs / 1_000,
    endSeconds: endMs / 1_000,
    fit,
  }));
}

/** Distributes words without information over a span. */
export function spread(words: readonly ExpectedWord[], fromMs: number, toMs: number): Timed[] {
  const sums = sumUp(words);
  const scale = (toMs - fromMs) / sums.at(-1)!;
  return words.map(({ known }, at) => ({
    startMs: known?.startMs ?? fromMs + sums[at]! * scale,
    endMs: known?.endMs ?? fromMs + sums[at + 1]! * scale,
    fit: 0,
  }));
}

/** The words with their times, in order and within the sound. Guessed times yield to known ones. */
export function inOrder(words: readonly ExpectedWord[], times: readonly Timed[], soundMs: number): Word[] {
  const yielding: Timed[] = [];
  let limit = soundMs;
  for (const time of times.toReversed()) {
    const endMs = Math.min(time.endMs, limit);
    yielding.unshift(time.fit > 0 ? time : { startMs: Math.min(time.startMs, endMs), endMs, fit: 0 });
    if (time.fit > 0) limit = Math.min(limit, time.startMs);
  }
  let lastMs = 0;
  return words.map(({ text }, at) => {
    const time = yielding[at]!;
    const startMs = Math.min(Math.max(Math.round(time.startMs), lastMs), soundMs);
    const endMs = Math.min(Math.max(Math.round(time.endMs), startMs), soundMs);
    lastMs = endMs;
    return { text, startMs, endMs, confidence: Math.round(100 * Math.min(1, Math.max(0, time.fit))) };
  });
}
