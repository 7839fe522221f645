import llamaTokenizer from 'llama-tokenizer-js';
import type { Token } from './decoding.ts';
import type { WrittenWord } from './recogniser.ts';
import type { TermTokens } from './vocabulary-bias.ts';

const vocabulary = llamaTokenizer.vocabById;

export const llamaTerms: TermTokens = {
  encode: (term) => llamaTokenizer.encode(term, false, true),
  endsWord: (token) => {
    const piece = vocabulary[token];
    return piece === undefined || /^[^\p{L}\p{N}<]/u.test(piece);
  },
};

/** A word, and its tokens: from `from` up to, not including, `to`. */
interface SpelledWord extends WrittenWord {
  readonly from: number;
  readonly to: number;
}

/** Joins tokens into words; a token that starts with ▁ starts a word. */
export function writeWords(tokens: readonly Token[]): SpelledWord[] {
  const words: { bytes: number[]; logProbabilities: number[]; from: number; to: number }[] = [];
  for (const [at, { id, logProbability }] of tokens.entries()) {
    const piece = vocabulary[id];
    // Ids outside of the vocabulary are control tokens, not text.
    if (piece === undefined || id < 3) continue;
    const byte = /^<0x([0-9A-F]{2})>$/.exec(piece);
    const parts = byte ? [piece] : piece.split('▁');
    for (const [index, part] of parts.entries()) {
      if (index > 0 || words.length === 0) words.push({ bytes: [], logProbabilities: [], from: at, to: at });
      const word = words.at(-1)!;
      word.bytes.push(...(byte ? [Number.parseInt(byte[1]!, 16)] : Buffer.from(part)));
      if (part === '') continue;
      word.logProbabilities.push(logProbability);
      word.to = at + 1;
    }
  }
  return words
    .map(({ bytes, logProbabilities, from, to }) => ({
      from,
      to,
      text: Buffer.from(bytes).toString('utf8').trim(),
      logProbability: logProbabilities.reduce((sum, value) => sum + value, 0) / Math.max(1, logProbabilities.length),
    }))
    .filter(({ text }) => text !== '');
}
