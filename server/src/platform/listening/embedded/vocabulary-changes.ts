import type { DecodedText } from './decode-text.ts';
import type { Recognised, WrittenWord } from './recogniser.ts';
import type { Terms } from './vocabulary-bias.ts';

/*
 * Marks the words that are different because of the vocabulary with what would have been written without it. Both texts
 * are compared word by word; words between two equal words belong together.
 */

/** A text, and what it says. */
export interface Written<Answer extends WrittenAnswer> {
  readonly text: Pick<DecodedText<unknown>, 'isBiased' | 'isLoop'>;
  readonly recognised: Answer;
}

type WrittenAnswer = Pick<Recognised, 'words' | 'logProbability' | 'isNonsense'>;

/** Writes a text with the terms of a vocabulary, and without them if they changed it. */
export async function writeWithVocabulary<Answer extends WrittenAnswer>(
  terms: Terms | undefined,
  write: (terms?: Terms) => Promise<Written<Answer>>,
): Promise<Answer> {
  const { text, recognised } = await write(terms);
  if (!terms || (!text.isBiased && !text.isLoop)) return recognised;
  const { recognised: unbiased } = await write();
  // A vocabulary must not turn a text into nonsense, nor nonsense into a text.
  if (recognised.isNonsense || unbiased.isNonsense) return unbiased;
  // The vocabulary must not decide whether the speech was understood.
  const { logProbability } = unbiased;
  return { ...recognised, logProbability, words: markChanges(recognised.words, unbiased.words) };
}

export function markChanges<Word extends WrittenWord>(
  written: readonly Word[],
  unbiased: readonly WrittenWord[],
): (Word & Pick<WrittenWord, 'heardAs'>)[] {
  const heard: string[][] = written.map(() => []);
  let [from, otherFrom] = [0, 0];
  for (const [at, other] of [...matchWords(written, unbiased), [written.length, unbiased.length] as const]) {
    const others = unbiased.slice(otherFrom, other).map(({ text }) => text);
    // The last of the words carries the rest. A word for which nothing is left carries the empty text.
    for (let word = from; word < at; word++) heard[word]!.push(...others.splice(0, word === at - 1 ? Infinity : 1));
    // Words that are only in the other text are added to the next word, or to the last.
    heard[Math.min(at, written.length - 1)]?.push(...others);
    if (at < written.length) heard[at]!.push(written[at]!.text);
    [from, otherFrom] = [at + 1, other + 1];
  }
  return written.map((word, at) => {
    const heardAs = heard[at]!.join(' ');
    return heardAs === word.text ? word : { ...word, heardAs };
  });
}

/** The longest common sequence of words, as pairs of indexes. */
function matchWords(a: readonly WrittenWord[], b: readonly WrittenWord[]): (readonly [number, number])[] {
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let row = a.length - 1; row >= 0; row--) {
    for (let column = b.length - 1; column >= 0; column--) {
      const next = lengths[(row + 1) * width + column + 1]!;
      const skip = Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
      lengths[row * width + column] = a[row]!.text === b[column]!.text ? next + 1 : skip;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let row = 0, column = 0; row < a.length && column < b.length;) {
    if (a[row]!.text === b[column]!.text) pairs.push([row++, column++]);
    else if (lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!) row += 1;
    else column += 1;
  }
  return pairs;
}
