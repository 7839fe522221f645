/*
 * How transcripts and search texts are compared: as words in lower case without accents, separated by one space. A change
 * here changes what is stored: see `currentEdition` in the server's caption-index/edition.ts.
 *
 *   Don't, café-bar!   dont cafe bar     apostrophes are removed, any other sign ends a word
 *   Straße, ﬁne, ２     strasse fine 2    different forms of a letter are equal
 *   東京タワー          東 京 タ ワ ー      scripts without spaces: each character is a word
 */

export interface SpokenWord {
  readonly text: string;
  /** Where it stands in the text that was read. */
  readonly from: number;
  readonly to: number;
}

/** The rest of a longer word counts as another word. */
const longestWord = 100;

// Characters within a word that are ignored: apostrophes and typesetting hints.
const left = String.raw`'\u2018\u2019\u02bb\u02bc\uff07\u00ad\u0640\u200b-\u200d\u2060\ufeff`;
const alone = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]`;
// The last two are voicing marks of half-width Kana, which Unicode classifies as letters.
const runs = new RegExp(String.raw`${alone}[\p{M}\uff9e\uff9f]*|(?:(?!${alone})[\p{L}\p{N}\p{M}${left}])+`, 'gu');
const leftOut = new RegExp(`[${left}]`, 'gu');
// Accents of any letter, and the optional vowel points of Hebrew and Arabic. Other marks are letters of their script,
// and the marks of Kana change the sound.
const accents =
  /(?![\u3099\u309a])(?=\p{Mn})(?:\p{Script=Inherited}|[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670])/gu;
const wordParts = new RegExp(String.raw`[\p{L}\p{N}\p{M}]{1,${longestWord}}`, 'gu');

function fold(run: string): string {
  const plain = run.replace(leftOut, '').normalize('NFKD').replace(accents, '');
  // Upper case first: only it converts ß to SS and ς to Σ.
  return plain.toUpperCase().normalize('NFKD').replace(accents, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

const isPlain = /^[a-z0-9]+$/;

export function readWords(text: string): SpokenWord[] {
  const words: SpokenWord[] = [];
  for (const { 0: run, index: from } of text.matchAll(runs)) {
    const place = { from, to: from + run.length };
    if (run.length <= longestWord && isPlain.test(run)) words.push({ text: run, ...place });
    else for (const [part] of fold(run).matchAll(wordParts)) words.push({ text: part, ...place });
  }
  return words;
}

/** The text for comparison, with a space at both ends, so that whole words can be distinguished from parts. */
export const comparable = (words: readonly SpokenWord[]): string =>
  words.length === 0 ? '' : ` ${words.map(({ text }) => text).join(' ')} `;

/** A text that was read once to be compared with many terms. */
export interface SpokenText {
  readonly words: readonly SpokenWord[];
  readonly compared: string;
}

export function readText(text: string): SpokenText {
  const words = readWords(text);
  return { words, compared: comparable(words) };
}

const quotes = /["\u201c\u201d\u201e\u00ab\u00bb]/gu;

/** The same words without quotes, so that they match anywhere. */
export const withoutQuotes = (searchText: string): string =>
  searchText.replaceAll(quotes, ' ').replaceAll(/\s+/gu, ' ').trim();

/** The parts of a search in quotes, and those between them. An unclosed quote is ignored. */
export function splitQuoted(searchText: string): readonly { readonly text: string; readonly isQuoted: boolean }[] {
  const parts = searchText.split(quotes);
  return parts.map((text, index) => ({ text, isQuoted: index % 2 === 1 && index !== parts.length - 1 }));
}

/** The indexes of the first and the last word of a match. */
export type WordRange = readonly [first: number, last: number];

/** All matches of each part of the comparable text; one that begins and ends with a space matches whole words. */
export function findRanges(words: readonly SpokenWord[], parts: readonly string[]): readonly WordRange[] {
  const text = comparable(words);
  const wordAt = placesOfSigns(words, text.length);
  const ranges: WordRange[] = [];
  for (const part of parts) {
    const [start, length] = [part.length - part.trimStart().length, part.trim().length];
    for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
      ranges.push([wordAt[at + start] ?? 0, wordAt[at + start + length - 1] ?? 0]);
    }
  }
  return ranges;
}

/** All matches of an expression that begins and ends with a space. */
export function findExpression(words: readonly SpokenWord[], expression: string): readonly WordRange[] {
  const text = comparable(words);
  const wordAt = placesOfSigns(words, text.length);
  // The space after a match may be the one before the next.
  const found = text.matchAll(new RegExp(`${expression.slice(0, -1)}(?= )`, 'gu'));
  return [...found].map(({ 0: match, index }) => [wordAt[index + 1] ?? 0, wordAt[index + match.length - 1] ?? 0]);
}

/** For each character of the comparable text, the index of its word. */
function placesOfSigns(words: readonly SpokenWord[], length: number): Uint32Array {
  const wordAt = new Uint32Array(length);
  let at = 1;
  for (const [place, { text }] of words.entries()) {
    wordAt.fill(place, at, at + text.length + 1);
    at += text.length + 1;
  }
  return wordAt;
}

/**
 * The indexes of the timed words at the matches of the transcript. Both have the same order; a timed word that is not
 * in the transcript matches nothing.
 */
export function* findTimedPlaces(
  transcript: string,
  timed: readonly { readonly text: string }[],
  matched: readonly SpokenWord[],
): Generator<number> {
  let [read, next] = [0, 0];
  for (const [place, { text }] of timed.entries()) {
    const from = transcript.indexOf(text, read);
    if (text === '' || from === -1) continue;
    read = from + text.length;
    while (next < matched.length && matched[next]!.to <= from) next += 1;
    if (next === matched.length) return;
    if (matched[next]!.from < read) yield place;
  }
}
