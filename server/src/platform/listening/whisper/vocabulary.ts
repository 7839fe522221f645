import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Token } from '../embedded/decoding.ts';
import type { WrittenWord } from '../embedded/recogniser.ts';

/** The meaning of Whisper's tokens, and which of them are never text. */
export interface Vocabulary {
  /** The token of each language, by its tag. */
  readonly languages: ReadonlyMap<number, string>;
  readonly transcribe: number;
  readonly noTimes: number;
  readonly start: number;
  readonly end: number;
  /** Tokens that are never spoken; at the beginning, the end token too. */
  readonly never: readonly number[];
  readonly neverFirst: readonly number[];
  /** Layer and head of the attention that follows the sound. */
  readonly alignmentHeads: readonly (readonly [number, number])[];
  /** Joins tokens into words; `from` and `to` are the tokens of each word. */
  write(tokens: readonly Token[], language: string): (WrittenWord & { readonly from: number; readonly to: number })[];
}

interface GenerationSettings {
  readonly alignment_heads: [number, number][];
  readonly begin_suppress_tokens: number[];
  readonly suppress_tokens: number[];
  readonly lang_to_id: Record<string, number>;
  readonly task_to_id: { readonly transcribe: number };
  readonly decoder_start_token_id: number;
  readonly eos_token_id: number;
  readonly no_timestamps_token_id: number;
}

/** Languages that are written without spaces. */
const unspaced = new Set(['zh', 'ja', 'th', 'lo', 'my', 'yue']);

export async function loadVocabulary(folder: string): Promise<Vocabulary> {
  const read = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(folder, name), 'utf8'));
  const settings = (await read('generation_config.json')) as GenerationSettings;
  const pieces = new Map<number, string>();
  for (const [piece, id] of Object.entries((await read('vocab.json')) as Record<string, number>)) pieces.set(id, piece);
  const byteOf = createByteTable();
  const bytesOf = ({ id }: Token) =>
    Buffer.from((pieces.get(id) ?? '').split('').map((sign) => byteOf.get(sign) ?? 32));
  const languages = Object.entries(settings.lang_to_id).map(([mark, id]) => [id, mark.replace(/[<|>]/g, '')] as const);
  return {
    languages: new Map(languages),
    transcribe: settings.task_to_id.transcribe,
    noTimes: settings.no_timestamps_token_id,
    start: settings.decoder_start_token_id,
    end: settings.eos_token_id,
    never: settings.suppress_tokens,
    neverFirst: settings.begin_suppress_tokens,
    alignmentHeads: settings.alignment_heads,
    write(tokens, language) {
      const words: { bytes: Buffer[]; from: number; to: number }[] = [];
      for (const [at, token] of tokens.entries()) {
        const bytes = bytesOf(token);
        const current = words.at(-1);
        // A character may be split over several tokens; a part of a character never starts a word.
        const isPart = (bytes[0]! & 0xc0) === 0x80;
        const begins = bytes[0] === 32 || (unspaced.has(language) && !isPart && !/^\p{P}/u.test(bytes.toString()));
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
