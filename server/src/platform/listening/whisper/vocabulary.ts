import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Token } from '../embedded/decoding.ts';
import type { WrittenWord } from '../embedded/recogniser.ts';
import type { TermTokens } from '../embedded/vocabulary-bias.ts';
import { encodePairs } from './byte-pairs.ts';

/** A word and its tokens, from `from` up to, not including, `to`. */
export interface TokenWord extends WrittenWord {
  readonly from: number;
  readonly to: number;
}

/** The text of Whisper's tokens. */
export interface Vocabulary {
  /** Joins tokens into words. */
  write(tokens: readonly Token[], language: string): TokenWord[];
  /** For languages that are written with spaces. */
  readonly terms: TermTokens;
}

/** Languages that are written without spaces. */
const unspaced = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue']);
export const isSpaced = (language: string): boolean => !unspaced.has(language);

export async function loadVocabulary(folder: string): Promise<Vocabulary> {
  const ids = JSON.parse(await readFile(join(folder, 'vocab.json'), 'utf8')) as Record<string, number>;
  const pieces = new Map(Object.entries(ids).map(([piece, id]) => [id, piece]));
  const byteOf = createByteTable();
  const signOf = [...byteOf.keys()];
  const bytesOf = ({ id }: Token) =>
    Buffer.from((pieces.get(id) ?? '').split('').map((sign) => byteOf.get(sign) ?? 32));
  const startOf = (token: number) => bytesOf({ id: token, logProbability: 0 });
  return {
    terms: {
      encode: (term) => encodePairs(` ${term}`, ids, signOf),
      endsWord: (token) => token >= pieces.size || /^[^\p{L}\p{N}\uFFFD]/u.test(startOf(token).toString('utf8')),
    },
    write(tokens, language) {
      const words: { bytes: Buffer[]; from: number; to: number }[] = [];
      for (const [at, token] of tokens.entries()) {
        const bytes = bytesOf(token);
        const current = words.at(-1);
        // A character may be split over several tokens; a part of a character never starts a word.
        const isPart = (bytes[0]! & 0xc0) === 0x80;
        const begins = bytes[0] === 32 || (!isSpaced(language) && !isPart && !/^\p{P}/u.test(bytes.toString()));
        if (!current || begins) words.push({ bytes: [bytes], from: at, to: at + 1 });
        else {
          current.bytes.push(bytes);
          current.to = at + 1;
        }
      }
      return words
        .map(({ bytes, from, to }) => {
          const of = tokens.slice(from, to);
          const logProbability = of.reduce((sum, token) => sum + token.logProbability, 0) / of.length;
          return { text: Buffer.concat(bytes).toString('utf8').trim(), logProbability, from, to };
        })
        .filter(({ text }) => text !== '');
    },
  };
}

/** The vocabulary represents each byte by one visible character: visible ones by themselves, others shifted. */
function createByteTable(): Map<string, number> {
  const isVisible = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let moved = 256;
  return new Map(
    Array.from({ length: 256 }, (_, byte) => [String.fromCharCode(isVisible(byte) ? byte : moved++), byte] as const),
  );
}
