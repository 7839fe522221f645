import type { CorrectedTerm } from '../../vocabulary/public.ts';
import { matchWords } from './word-diff.ts';

/** A longer passage was rewritten, and is no name. */
const mostWords = 4;
const mostTerms = 50;
const longest = 60;

/** Sentences begin with a capital, whatever the word is. */
const endsSentence = (word: string | undefined): boolean => word === undefined || /[.?!…]["'”’)]?$/.test(word);
const trim = (words: readonly string[]): string => words.join(' ').replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
const plain = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Whether a text looks like a name or a code: with a digit, or with a capital that does not begin a sentence. */
function isNameLike(words: readonly string[], before: string | undefined): boolean {
  if (words.some((word) => /\p{N}/u.test(word))) return true;
  const capitals = words.map((word) => word.match(/\p{Lu}/gu)?.length ?? 0);
  const [first = 0, ...others] = capitals;
  return others.some((count) => count > 0) || first > (endsSentence(before) ? 1 : 0);
}

/** The names and codes among the words that a person changed. */
export function findCorrectedTerms(former: readonly string[], later: readonly string[]): readonly CorrectedTerm[] {
  const matches = matchWords(former, later);
  const terms: CorrectedTerm[] = [];
  let next = 0;
  for (let at = 0; at < later.length && terms.length < mostTerms;) {
    if (matches[at]! >= 0) {
      next = matches[at]! + 1;
      at += 1;
      continue;
    }
    let end = at;
    while (end < later.length && matches[end]! < 0) end += 1;
    const written = later.slice(at, end);
    const heard = former.slice(next, end < later.length ? matches[end] : former.length);
    const found = { term: trim(written), heardAs: trim(heard) };
    const isShort = written.length <= mostWords && heard.length <= mostWords && heard.length > 0;
    const fits = [found.term, found.heardAs].every((text) => text !== '' && text.length <= longest);
    if (isShort && fits && plain(found.term) !== plain(found.heardAs) && isNameLike(written, later[at - 1]))
      terms.push(found);
    at = end;
  }
  return terms;
}
