import type { CaptionMatch } from '@earshot/contract/caption-search';
import { mostMatches } from '@earshot/contract/caption-search';
import type { FoundClip } from './hit-queries.ts';
import type { SpokenWord } from './words.ts';
import { comparable, readWords } from './words.ts';

/** Letters of a snippet, and of what comes before the match in it. */
const snippetLength = 160;
const lengthBefore = 50;

export interface Shown {
  readonly snippet: string;
  readonly matches: CaptionMatch[];
}

/** Where a transcript matches: its words, by their places, each once and in order. */
export function findPlaces(words: readonly SpokenWord[], phrases: readonly string[]): readonly number[] {
  const text = comparable(words);
  const wordAt = placesOfSigns(words, text.length);
  const places = new Set<number>();
  for (const phrase of phrases) {
    for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
      for (let place = wordAt[at] ?? 0; place <= (wordAt[at + phrase.length - 1] ?? 0); place++) places.add(place);
    }
  }
  return [...places].toSorted((a, b) => a - b);
}

/** For each sign of the comparable text, the place of its word. */
function placesOfSigns(words: readonly SpokenWord[], length: number): Uint32Array {
  const wordAt = new Uint32Array(length);
  let at = 1;
  for (const [place, { text }] of words.entries()) {
    wordAt.fill(place, at, at + text.length + 1);
    at += text.length + 1;
  }
  return wordAt;
}

export function showMatches({ transcript, words: timed }: FoundClip, phrases: readonly string[]): Shown {
  const words = readWords(transcript);
  const places = findPlaces(words, phrases);
  return {
    snippet: cutSnippet(transcript, words, places[0] ?? 0),
    matches: matchWords(
      transcript,
      timed ?? [],
      places.map((place) => words[place]!),
    ),
  };
}

/** Whole words from a little before the match on; all of a short transcript. */
function cutSnippet(transcript: string, words: readonly SpokenWord[], place: number): string {
  const match = words[place];
  if (!match) return '';
  let [first, last] = [place, place];
  while (first > 0 && match.from - words[first - 1]!.from <= lengthBefore) first -= 1;
  // Room that is not needed before the match is used after it, and the other way round.
  const from = () => (first === 0 ? 0 : words[first]!.from);
  while (last + 1 < words.length && words[last + 1]!.to - from() <= snippetLength) last += 1;
  const isEnd = last === words.length - 1;
  const to = isEnd ? transcript.length : words[last]!.to;
  const least = isEnd ? to - snippetLength : words[first]!.from;
  while (first > 0 && words[first - 1]!.from >= least) first -= 1;
  const text = transcript.slice(from(), to).replaceAll(/\s+/gu, ' ').trim();
  return `${first > 0 ? '…' : ''}${text}${isEnd ? '' : '…'}`;
}

type TimedWord = NonNullable<FoundClip['words']>[number];

/** The words with times that stand where the transcript matches. Both follow the same order. */
function matchWords(transcript: string, timed: readonly TimedWord[], matched: readonly SpokenWord[]): CaptionMatch[] {
  const matches: CaptionMatch[] = [];
  let [read, next] = [0, 0];
  for (const { text, startMs, endMs } of timed) {
    const from = transcript.indexOf(text, read);
    if (text === '' || from === -1) continue;
    read = from + text.length;
    while (next < matched.length && matched[next]!.to <= from) next += 1;
    const isMatched = next < matched.length && matched[next]!.from < read;
    if (isMatched) matches.push({ startMs, endMs, word: text });
    if (matches.length === mostMatches || next === matched.length) break;
  }
  return matches;
}
