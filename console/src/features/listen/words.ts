import type { Caption } from '@earshot/contract/caption';
import { isDoubtful, languageName, unheardNote } from '@earshot/contract/caption-marks';

type Segment = Caption['segments'][number];
export type TranscriptWord = Segment['words'][number];

export interface UnconfirmedText {
  readonly text: string;
  /** A tag. */
  readonly language: string;
}

/** A line of the transcript: speech without a pause. */
export interface Line {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  /** Shown in place of the words of speech that has none. */
  readonly note: string | undefined;
  /** The name of its language, if that is not the language of the clip. */
  readonly language: string | undefined;
  readonly words: readonly TranscriptWord[];
  /** Words whose language is in doubt: shown, and no words of the transcript. */
  readonly unconfirmed: UnconfirmedText | undefined;
  /** Index of its first word among all words. */
  readonly first: number;
}

/** Reads nothing of the words, so that it is quick for a transcript of any length. */
export function linesOf({ segments, language }: Pick<Caption, 'segments' | 'language'>): readonly Line[] {
  let first = 0;
  return segments.map((segment) => {
    const { startMs, endMs, words, text, confidence } = segment;
    const said = words.length > 0 || text === '' ? words : [{ text, startMs, endMs, confidence }];
    const line = {
      startMs,
      endMs,
      text,
      note: noteOf(segment, language),
      language: foreignName(segment),
      words: said,
      unconfirmed: unconfirmedText(segment),
      first,
    };
    first += said.length;
    return line;
  });
}

const unconfirmedText = ({ unconfirmed }: Segment): UnconfirmedText | undefined =>
  unconfirmed && { text: unconfirmed.words.map(({ text }) => text).join(' '), language: unconfirmed.language };

/** The language that the speech was taken for, of a caption with words in doubt, and the language of these words. */
export function doubtedLanguages({ segments, language }: Pick<Caption, 'segments' | 'language'>): readonly string[] {
  const languages = segments.flatMap((segment) => {
    const taken = segment.language ?? language;
    if (segment.isLanguageKnown || segment.text !== '') return [];
    return [segment.unconfirmed?.language, taken].filter((tag) => tag !== undefined);
  });
  return [...new Set(languages)];
}

function noteOf(segment: Segment, language: string | undefined): string | undefined {
  const taken = segment.language ?? language;
  if (segment.unconfirmed) return taken === undefined ? 'Language unsure' : `Perhaps ${languageName(taken)}`;
  const note = unheardNote(segment, language);
  return note === 'not understood' ? 'Speech not understood' : note;
}

const foreignName = ({ language, text }: Segment): string | undefined =>
  language !== undefined && text !== '' ? languageName(language) : undefined;

/** The languages that need no mark, because the installation's own words are in them. */
const usualLanguages = new Set(['en']);

/** What the language of the whole transcript is called; undefined if there is nothing to say about it. */
export function languageMark({
  language,
  isLanguageKnown,
  segments = [],
}: Pick<Caption, 'language' | 'isLanguageKnown'> & Partial<Pick<Caption, 'segments'>>) {
  const name = language === undefined ? undefined : languageName(language);
  if (isLanguageKnown === false && segments.some(({ unconfirmed }) => unconfirmed)) return 'Language unsure';
  if (isLanguageKnown === false) return name === undefined ? 'Not understood' : `${name}, not transcribed`;
  return language === undefined || usualLanguages.has(language.split('-')[0]!) ? undefined : name;
}

/** What is said about the times of the words; undefined if they were found in the sound. */
export function timesMark({ isTimed, segments }: Pick<Caption, 'isTimed' | 'segments'>): string | undefined {
  if (isTimed !== false) return undefined;
  return segments.every((segment) => segment.isTimed === false) ? 'Times estimated' : 'Some times estimated';
}

export function countWords(lines: readonly Line[]): number {
  const last = lines.at(-1);
  return last ? last.first + last.words.length : 0;
}

/** Index of the last item that is not after the place, or -1. The places of the items increase. */
function lastUpTo<Item>(items: readonly Item[], placeOf: (item: Item) => number, place: number): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placeOf(items[middle]!) <= place) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const startMsOf = ({ startMs }: { readonly startMs: number }): number => startMs;

/** Index of the last line that has started, or -1 before the first. */
export const lastStartedLine = (lines: readonly Line[], ms: number): number => lastUpTo(lines, startMsOf, ms);

/** Index of the line of a word. */
export const lineOfWord = (lines: readonly Line[], word: number): number => lastUpTo(lines, ({ first }) => first, word);

export function wordOf(lines: readonly Line[], word: number): TranscriptWord | undefined {
  const line = lines[lineOfWord(lines, word)];
  return line?.words[word - line.first];
}

/** Index of the last word that has started, or -1 before the first. */
export function lastStartedWord(lines: readonly Line[], ms: number): number {
  const line = lines[lastStartedLine(lines, ms)];
  return line ? line.first + lastUpTo(line.words, startMsOf, ms) : -1;
}

/** A word stays highlighted this long after its end, so that short gaps do not flicker. */
const pauseMs = 350;

/** Index of the current word, or -1 in a pause. */
export function wordAt(lines: readonly Line[], ms: number): number {
  const at = lastStartedWord(lines, ms);
  const word = wordOf(lines, at);
  return word && ms < word.endMs + pauseMs ? at : -1;
}

/** In the middle of a word or line, back goes to its own start. */
const ownStartMs = 400;

/** Start of the previous or next word. */
export function stepWord(lines: readonly Line[], ms: number, step: 1 | -1): number | undefined {
  const at = lastStartedWord(lines, ms);
  if (step === 1) return wordOf(lines, at + 1)?.startMs;
  const word = wordOf(lines, at);
  if (word && ms - word.startMs > ownStartMs) return word.startMs;
  return wordOf(lines, at - 1)?.startMs ?? (at === 0 ? 0 : undefined);
}

/** Start of the previous or next sentence. */
export function stepLine(lines: readonly Line[], ms: number, step: 1 | -1): number | undefined {
  const at = lastStartedLine(lines, ms);
  const line = lines[at];
  if (step === -1 && line && ms - line.startMs > 2 * ownStartMs) return line.startMs;
  return lines[at + step]?.startMs ?? (step === -1 && at === 0 ? 0 : undefined);
}

/** Indexes of the words that the engine is unsure of. */
export function doubtfulWords(lines: readonly Line[]): readonly number[] {
  const found: number[] = [];
  for (const { words, first } of lines) {
    for (let at = 0; at < words.length; at++) if (isDoubtful(words[at]!)) found.push(first + at);
  }
  return found;
}

/** The next number after a place, or before it; after the last comes the first. */
export function stepAround(numbers: readonly number[], place: number, step: 1 | -1): number | undefined {
  if (step === 1) return numbers.find((number) => number > place) ?? numbers[0];
  return numbers.findLast((number) => number < place) ?? numbers.at(-1);
}

/** Offset of the end of a word in the text, for the cursor. */
export function placeInText(transcript: string, lines: readonly Line[], at: number): number {
  let place = 0;
  for (const { words, first } of lines) {
    for (const [index, { text }] of words.entries()) {
      if (first + index > at) return place;
      const found = transcript.indexOf(text, place);
      if (found >= 0) place = found + text.length;
    }
  }
  return place;
}
