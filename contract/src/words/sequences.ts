import { asWholeWords } from './compare.ts';
import { comparable, readWords } from './spoken.ts';
import type { SearchTerm } from './terms.ts';
import { wordsOf } from './terms.ts';

const mostSequences = 6;

/**
 * The word sequences of a search that may begin in one clip and end in the next: the phrase in quotes, or all words in
 * their order, with numbers in other forms. None for a single word, or for a search of several phrases.
 */
export function readSequences(
  terms: readonly SearchTerm[],
  searchText: string,
  most = mostSequences,
): readonly string[] {
  if (terms.some(({ isQuoted }) => isQuoted)) return terms.length === 1 ? terms[0]!.phrases.filter(isSequence) : [];
  const all = wordsOf(searchText).join(' ');
  const found = new Set([all]);
  for (const { typed, variants } of terms) {
    const whole = new Set([typed, ...variants.filter((variant) => !isSequence(variant))]);
    for (const variant of variants) {
      // A word is not split between two clips.
      if (isSequence(variant) && whole.has(variant.replaceAll(' ', ''))) continue;
      found.add(asWholeWords(all).replace(asWholeWords(typed), asWholeWords(variant)).trim());
    }
  }
  return [...found].filter(isSequence).slice(0, most);
}

const isSequence = (words: string): boolean => words.includes(' ');

/** Whether a text ends with a first part of a sequence, or begins with a last part. */
export function touchesEdge(text: string, sequences: readonly string[]): boolean {
  const compared = comparable(readWords(text));
  return sequences.some((sequence) => {
    const words = sequence.split(' ');
    return words.some((_, at) => {
      if (at === 0) return false;
      return (
        compared.endsWith(`${words.slice(0, at).join(' ')} `) || compared.startsWith(` ${words.slice(at).join(' ')}`)
      );
    });
  });
}
