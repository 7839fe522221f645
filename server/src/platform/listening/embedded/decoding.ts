/** A model before it writes its next token. */
export interface DecodingStep<Attention> {
  /** For each token of the vocabulary; not normalised. */
  readonly scores: Float32Array;
  /** How much each moment of the sound counts for this token. */
  readonly attention: Attention;
  /** The step after the given token. May be called again with another token. */
  next(token: number): Promise<DecodingStep<Attention>>;
}

/** One step of a recogniser, with its log probability. */
export interface Token {
  readonly id: number;
  readonly logProbability: number;
}

/** The most likely token of a row of scores. */
export function chooseLikeliest(scores: Float32Array): Token {
  let id = 0;
  for (let at = 1; at < scores.length; at++) if (scores[at]! > scores[id]!) id = at;
  return { id, logProbability: logProbabilityOf(scores, id) };
}

export function logProbabilityOf(scores: Float32Array, id: number): number {
  const reference = scores[id]!;
  let sum = 0;
  for (let at = 0; at < scores.length; at++) sum += Math.exp(scores[at]! - reference);
  return -Math.log(sum);
}

const longestLoop = 12;
const repeats = 4;

/** Whether a text ends in a repetition, as recognisers produce for sound that they do not understand. */
export function isLooping(tokens: readonly Token[]): boolean {
  for (let length = 1; length <= longestLoop; length++) {
    // People do say single words two or three times ("no, no, no"), and children more often.
    const times = length < 3 ? repeats * 2 : repeats;
    if (tokens.length >= length * times && endsWithRepeats(tokens, length, times)) return true;
  }
  return false;
}

function endsWithRepeats(tokens: readonly Token[], length: number, times: number): boolean {
  const end = tokens.length;
  for (let back = 1; back <= length * (times - 1); back++) {
    if (tokens[end - back]!.id !== tokens[end - back - length]!.id) return false;
  }
  return true;
}

const phraseWords = 4;
const leastPhrases = 12;

/** Whether most phrases of a text occur more than once, which is rare in real speech. */
export function isRepetitive(words: readonly string[]): boolean {
  const plain = words.map((word) => word.toLowerCase().replace(/[^\p{L}\p{N}']/gu, ''));
  const phrases = plain.slice(phraseWords - 1).map((_, at) => plain.slice(at, at + phraseWords).join(' '));
  return phrases.length >= leastPhrases && new Set(phrases).size < phrases.length / 2;
}
