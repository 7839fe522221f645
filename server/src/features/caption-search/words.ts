/*
 * How text is compared, whether it was said or is searched for: as words in small letters without accents, with one
 * blank between them. What is contained then is found; nothing else has to be known about a language.
 *
 *   Don't, café-bar!   dont cafe bar     apostrophes are left out, any other sign ends a word
 *   Straße, ﬁne, ２     strasse fine 2    letters that are only written differently are the same
 *   東京タワー          東 京 タ ワ ー      scripts without blanks: each sign is a word
 */

export interface SpokenWord {
  readonly text: string;
  /** Where it stands in the text that was read. */
  readonly from: number;
  readonly to: number;
}

/** Beyond this, the rest of a word is another word. */
const longestWord = 100;

// Signs within a word that are not part of it: apostrophes, and hints to a typesetter.
const left = String.raw`'\u2018\u2019\u02bb\u02bc\uff07\u00ad\u0640\u200b-\u200d\u2060\ufeff`;
const alone = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}]`;
// The last two are the marks of narrow Kana, which count as letters.
const runs = new RegExp(String.raw`${alone}[\p{M}\uff9e\uff9f]*|(?:(?!${alone})[\p{L}\p{N}\p{M}${left}])+`, 'gu');
const leftOut = new RegExp(`[${left}]`, 'gu');
// Marks that any letter may carry, and the optional points of Hebrew and Arabic. Others are letters of their script, and
// the marks of Kana make another sound.
const accents =
  /(?![\u3099\u309a])(?=\p{Mn})(?:\p{Script=Inherited}|[\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670])/gu;
const parts = new RegExp(String.raw`[\p{L}\p{N}\p{M}]{1,${longestWord}}`, 'gu');

function fold(run: string): string {
  const plain = run.replace(leftOut, '').normalize('NFKD').replace(accents, '');
  // Capitals first: only they know that ß is a double s, and that ς is a σ.
  return plain.toUpperCase().normalize('NFKD').replace(accents, '').toLowerCase().replaceAll('ς', 'σ').normalize('NFC');
}

const isPlain = /^[a-z0-9]+$/;

export function readWords(text: string): SpokenWord[] {
  const words: SpokenWord[] = [];
  for (const { 0: run, index: from } of text.matchAll(runs)) {
    const place = { from, to: from + run.length };
    if (run.length <= longestWord && isPlain.test(run)) words.push({ text: run, ...place });
    else for (const [part] of fold(run).matchAll(parts)) words.push({ text: part, ...place });
  }
  return words;
}

/** The text as it is compared, with a blank at either end, so that whole words can be told from parts. */
export const comparable = (words: readonly SpokenWord[]): string =>
  words.length === 0 ? '' : ` ${words.map(({ text }) => text).join(' ')} `;

/** What is searched for: every one of them must be contained in the comparable text. */
export function readPhrases(searchText: string): readonly string[] {
  const phrases = new Set<string>();
  const add = (part: string) => phrases.add(comparable(readWords(part)).trim());
  // Every other part stands in quotes; a quote that is never closed is only a sign.
  const quoted = searchText.split(/["\u201c\u201d\u201e\u00ab\u00bb]/u);
  const last = quoted.length - 1;
  for (const [index, part] of quoted.entries()) {
    if (index % 2 === 1 && index !== last) add(part);
    else for (const piece of part.split(/\s+/u)) add(piece);
  }
  phrases.delete('');
  // What is part of another phrase is found with it.
  return [...phrases].filter((phrase) => ![...phrases].some((other) => other !== phrase && other.includes(phrase)));
}
