import type { CaptionHit, CaptionMatch } from '@earshot/contract/caption-search';
import { mostMatches } from '@earshot/contract/caption-search';
import type { SpokenWord, SearchTerm } from '@earshot/contract/words/public';
import {
  asWholeWords,
  containsTerms,
  findPlaces,
  comparable,
  findTimedPlaces,
  readWords,
} from '@earshot/contract/words/public';
import type { SimilarTerms } from '../caption-index/public.ts';
import type { FoundClip } from './hit-queries.ts';

/** The characters of a snippet, and those before the match. */
const snippetLength = 160;
const lengthBefore = 50;

export interface Shown {
  readonly snippet: string;
  readonly matches: CaptionMatch[];
}

/** The matches of a clip. If they continue in the next clip, its transcript follows in the snippet. */
export function showMatches(
  { transcript, words: timed }: FoundClip,
  terms: readonly SearchTerm[],
  following?: string,
): Shown {
  const text = following === undefined ? transcript : `${transcript} ${following}`;
  const words = readWords(text);
  const places = findPlaces(words, terms);
  const own = places.filter((place) => words[place]!.from < transcript.length);
  const first = following === undefined ? places[0] : own.at(-1);
  return {
    snippet: cutSnippet(text, words, first ?? 0),
    matches: matchWords(
      transcript,
      timed ?? [],
      own.map((place) => words[place]!),
    ),
  };
}

/** The words of a transcript that matched only because they are similar to searched ones, or forms of them. */
export function explainSimilar(
  transcript: string,
  { terms, extended, forms }: SimilarTerms,
): Pick<CaptionHit, 'isSimilar' | 'similarWords' | 'vocabularyWords'> {
  const text = comparable(readWords(transcript));
  const said = extended.flatMap(({ variants }, at) =>
    containsTerms(transcript, [terms[at]!]) ? [] : variants.filter((words) => text.includes(asWholeWords(words))),
  );
  const [ofVocabulary, similar] = [new Set<string>(), new Set<string>()];
  for (const words of said) (forms.includes(words) ? ofVocabulary : similar).add(words);
  return {
    isSimilar: true,
    similarWords: [...similar],
    ...(ofVocabulary.size > 0 ? { vocabularyWords: [...ofVocabulary] } : {}),
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
