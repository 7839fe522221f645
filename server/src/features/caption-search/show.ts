import type { CaptionMatch } from '@earshot/contract/caption-search';
import { mostMatches } from '@earshot/contract/caption-search';
import type { SpokenWord } from '@earshot/contract/search-words';
import { findPlaces, findTimedPlaces, readWords } from '@earshot/contract/search-words';
import type { FoundClip } from './hit-queries.ts';

/** The characters of a snippet, and those before the match. */
const snippetLength = 160;
const lengthBefore = 50;

export interface Shown {
  readonly snippet: string;
  readonly matches: CaptionMatch[];
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

/** Whole words, starting shortly before the match; a short transcript is returned whole. */
function cutSnippet(transcript: string, words: readonly SpokenWord[], place: number): string {
  const match = words[place];
  if (!match) return '';
  let [first, last] = [place, place];
  while (first > 0 && match.from - words[first - 1]!.from <= lengthBefore) first -= 1;
  // Characters that are not needed before the match are used after it, and the other way round.
  const from = () => (first === 0 ? 0 : words[first]!.from);
  while (last + 1 < words.length && words[last + 1]!.to - from() <= snippetLength) last += 1;
  const isEnd = last === words.length - 1;
  const to = isEnd ? transcript.length : words[last]!.to;
  const least = isEnd ? to - snippetLength : words[first]!.from;
  while (first > 0 && words[first - 1]!.from >= least) first -= 1;
  const text = transcript.slice(from(), to).replaceAll(/\s+/gu, ' ').trim();
  return `${first > 0 ? '…' : ''}${text}${isEnd ? '' : '…'}`;
}

/** The timed words at the position of the match. */
function matchWords(
  transcript: string,
  timed: NonNullable<FoundClip['words']>,
  matched: readonly SpokenWord[],
): CaptionMatch[] {
  const matches: CaptionMatch[] = [];
  for (const place of findTimedPlaces(transcript, timed, matched)) {
    const { text, startMs, endMs } = timed[place]!;
    matches.push({ startMs, endMs, word: text });
    if (matches.length === mostMatches) break;
  }
  return matches;
}
