/*
 * Shows where a text matches a search. What matches is the server's to say; this only finds the words again in what it
 * sent, comparing as it does: in small letters, without accents and punctuation.
 */

const apostrophes = String.raw`'\u2018\u2019\u02bb\u02bc\uff07`;
// Scripts without blanks: each sign is a word.
const alone = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]`;
const runs = new RegExp(String.raw`${alone}\p{M}*|(?:(?!${alone})[\p{L}\p{N}\p{M}${apostrophes}])+`, 'gu');
const leftOut = new RegExp(String.raw`[${apostrophes}]|\p{Mn}`, 'gu');

const fold = (run: string): string =>
  run
    .normalize('NFKD')
    .replace(leftOut, '')
    .toUpperCase()
    .normalize('NFKD')
    .replace(leftOut, '')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

interface Run {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const runsOf = (text: string): readonly Run[] =>
  [...text.matchAll(runs)]
    .map(({ 0: run, index }) => ({ text: fold(run), from: index, to: index + run.length }))
    .filter((run) => run.text !== '');

const join = (words: readonly Run[]): string => words.map(({ text }) => text).join(' ');

/** What must be contained: each word, and what stands in quotes as a whole. */
export function readPhrases(searchText: string): readonly string[] {
  const parts = searchText.split(/["\u201c\u201d\u201e\u00ab\u00bb]/u);
  const phrases = parts.flatMap((part, at) =>
    at % 2 === 1 && at < parts.length - 1 ? [join(runsOf(part))] : part.split(/\s+/u).map((word) => join(runsOf(word))),
  );
  return [...new Set(phrases)].filter((phrase) => phrase !== '');
}

/** The first and last word of every place that matches. */
function findPlaces(words: readonly string[], phrases: readonly string[]): readonly (readonly [number, number])[] {
  const text = words.join(' ');
  const starts: number[] = [];
  let at = 0;
  for (const word of words) {
    starts.push(at);
    at += word.length + 1;
  }
  const wordAt = (sign: number) => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= sign) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  };
  return phrases.flatMap((phrase) => {
    const places: [number, number][] = [];
    for (let found = text.indexOf(phrase); found !== -1; found = text.indexOf(phrase, found + phrase.length))
      places.push([wordAt(found), wordAt(found + phrase.length - 1)]);
    return places;
  });
}

export interface Part {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A text in parts, by whether they match: whole words, and phrases in one. */
export function markParts(text: string, searchText: string): readonly Part[] {
  const words = runsOf(text);
  const places = findPlaces(
    words.map((word) => word.text),
    readPhrases(searchText),
  );
  const parts: Part[] = [];
  let written = 0;
  const add = (to: number, isMatch: boolean) => {
    if (to > written) parts.push({ text: text.slice(written, to), isMatch });
    written = Math.max(written, to);
  };
  for (const [first, last] of places.toSorted(([a], [b]) => a - b)) {
    add(words[first]!.from, false);
    add(words[last]!.to, true);
  }
  add(text.length, false);
  return parts;
}

/** The places of the words that match, among those of a transcript. */
export function matchedWords(words: readonly { readonly text: string }[], searchText: string): ReadonlySet<number> {
  if (searchText === '') return new Set();
  const placed = words.flatMap(({ text }, place) => runsOf(text).map((run) => ({ text: run.text, place })));
  const places = findPlaces(
    placed.map(({ text }) => text),
    readPhrases(searchText),
  );
  const matched = new Set<number>();
  for (const [first, last] of places) for (let at = first; at <= last; at++) matched.add(placed[at]!.place);
  return matched;
}

/** Whether a text may match: what decides is the server. */
export function mayMatch(text: string, searchText: string): boolean {
  const comparable = join(runsOf(text));
  return readPhrases(searchText).every((phrase) => comparable.includes(phrase));
}

/** Without a letter or a digit there is nothing to look for. */
export const isSearchable = (searchText: string): boolean => readPhrases(searchText).length > 0;
