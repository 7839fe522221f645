import { doubtfulBelow } from '@earshot/contract/caption-marks';
import type { Captions, Word, WordAligner } from '@earshot/server/platform/listening/engine';
import { asSound } from '@earshot/server/testing/speech';
import type { ConditionName } from './conditions.ts';
import { conditions } from './conditions.ts';
import type { Clip } from './corpus.ts';
import type { Listener, Use } from './listener.ts';
import { referenceSeconds } from './process-use.ts';
import type { Spoken } from './scoring.ts';
import { compareWords, joinCompounds, speakAll } from './scoring.ts';

/** A word of the transcript, with its time if the aligner found it. */
export interface SaidWord {
  readonly text: string;
  readonly startMs?: number | undefined;
}

export interface SpokenClip {
  readonly name: string;
  readonly samples: Float32Array;
  readonly said: readonly SaidWord[];
}

export interface SpeechFigures {
  clips: number;
  said: number;
  substituted: number;
  inserted: number;
  missed: number;
  /** Clips with speech for which no word was written. */
  empty: number;
  calledForeign: number;
  written: number;
  wrong: number;
  doubtful: number;
  doubtfulWrong: number;
  /** Errors of the starts of correct words. */
  startErrorsMs: number[];
  use: Use;
  /** The CPU seconds of the fixed work over the same sound. */
  referenceSeconds: number;
}

const never = new AbortController().signal;

/** The clip with the times of its words, found by the aligner in the clean sound. */
export async function timeWords(clip: Clip, aligner: WordAligner): Promise<SpokenClip> {
  const samples = clip.read();
  const words = clip.said.split(/\s+/).map((text) => ({ text }));
  const timed = await aligner.align(asSound(samples), words, { signal: never });
  // Confidence 0 marks a time that is interpolated.
  const said = timed.map(({ text, startMs, confidence }) => ({ text, startMs: confidence > 0 ? startMs : undefined }));
  return { name: clip.name, samples, said };
}

export async function measureSpeech(
  listener: Listener,
  clips: readonly SpokenClip[],
  condition: ConditionName,
  show: (line: string) => void,
): Promise<SpeechFigures> {
  const figures = noFigures();
  listener.takeUse();
  for (const clip of clips) {
    const samples = conditions[condition].apply(clip.samples, clip.name);
    const captions = await listener.caption(samples);
    figures.referenceSeconds += referenceSeconds(samples);
    addClip(figures, clip, captions, show);
  }
  return { ...figures, use: listener.takeUse() };
}

export const noFigures = (): SpeechFigures => ({
  clips: 0,
  said: 0,
  substituted: 0,
  inserted: 0,
  missed: 0,
  empty: 0,
  calledForeign: 0,
  written: 0,
  wrong: 0,
  doubtful: 0,
  doubtfulWrong: 0,
  startErrorsMs: [],
  use: { soundSeconds: 0, cpuSeconds: 0 },
  referenceSeconds: 0,
});

/** Compares the caption of a clip with its transcript. */
export function addClip(
  figures: SpeechFigures,
  clip: Pick<SpokenClip, 'name' | 'said'>,
  captions: Captions,
  show: (line: string) => void,
): void {
  const spoken = speakAll(clip.said);
  const written: Spoken<Word>[] = speakAll(captions.segments.flatMap(({ words }) => words));
  const said = joinCompounds(spoken, written);
  const heard = joinCompounds(written, said);
  const plain = (words: readonly { readonly spoken: string }[]) => words.map((word) => word.spoken);
  const score = compareWords(plain(said), plain(heard));
  const right = new Set(score.matches.map(([, at]) => at));
  const isDoubtful = ({ confidence }: Word) => confidence < doubtfulBelow;
  figures.clips += 1;
  figures.said += score.said;
  figures.substituted += score.substituted;
  figures.inserted += score.inserted;
  figures.missed += score.missed;
  if (heard.length === 0) figures.empty += 1;
  if (isForeign(captions)) figures.calledForeign += 1;
  figures.written += heard.length;
  figures.wrong += heard.length - right.size;
  figures.doubtful += heard.filter(isDoubtful).length;
  figures.doubtfulWrong += heard.filter((word, at) => isDoubtful(word) && !right.has(at)).length;
  for (const [saidAt, heardAt] of score.matches) {
    const [saidWord, heardWord] = [said[saidAt]!, heard[heardAt]!];
    if (saidWord.startMs === undefined || !saidWord.isFirst || !heardWord.isFirst) continue;
    figures.startErrorsMs.push(Math.abs(saidWord.startMs - heardWord.startMs));
  }
  if (right.size < said.length || right.size < heard.length) {
    show(`${clip.name}\n    said    ${plain(said).join(' ')}\n    written ${plain(heard).join(' ')}`);
  }
}

/** Whether the engine took the speech for another language than English. */
export const isForeign = ({ language, isLanguageKnown }: Captions): boolean =>
  !isLanguageKnown || (language !== undefined && language !== 'en');
