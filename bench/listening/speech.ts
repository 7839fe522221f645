import { doubtfulBelow } from '@earshot/contract/caption-marks';
import type { Captions, Word, WordAligner } from '@earshot/server/platform/listening/engine';
import { asSound } from '@earshot/server/testing/speech';
import type { ConditionName } from './conditions.ts';
import { conditionOf } from './conditions.ts';
import type { Clip, GroupName } from './corpus.ts';
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
  readonly source: string;
  readonly group: GroupName;
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
  const { name, source, group } = clip;
  return { name, source, group, samples, said };
}

/** Measures several engines with the same sound, clip by clip, so that a busy machine slows all of them alike. */
export async function measureSpeech(
  listeners: readonly Listener[],
  clips: readonly SpokenClip[],
  condition: ConditionName,
  show: (line: string) => void,
): Promise<SpeechFigures[]> {
  const { apply } = conditionOf(condition);
  const all = listeners.map((listener) => ({ listener, figures: noFigures() }));
  for (const listener of listeners) listener.takeUse();
  for (const [at, clip] of clips.entries()) {
    const samples = apply(clip.samples, clip.name, talkersBehind(clips, at));
    const reference = referenceSeconds(samples);
    for (const { listener, figures } of all) {
      const captions = await listener.caption(samples);
      figures.referenceSeconds += reference;
      addClip(figures, clip, captions, show);
    }
  }
  return all.map(({ listener, figures }) => ({ ...figures, use: listener.takeUse() }));
}

/** Two other speakers, if there are others. */
function talkersBehind(clips: readonly SpokenClip[], at: number): Float32Array[] {
  const inOrder = [...clips.slice(at + 1), ...clips.slice(0, at)];
  const others = [...new Map(inOrder.map((clip) => [clip.source, clip])).values()];
  return others
    .filter(({ source }) => source !== clips[at]!.source)
    .slice(0, 2)
    .map(({ samples }) => samples);
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
