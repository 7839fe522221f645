import type { Token } from '../embedded/decoding.ts';
import { chooseLikeliest, isLooping } from '../embedded/decoding.ts';
import type { ControlTokens } from './control-tokens.ts';
import type { Decode, Step } from './whisper.ts';

const mostTokens = 224;

export interface WrittenText {
  readonly tokens: readonly Token[];
  /** For each token, including the end, and each alignment head: the attention in steps of 20 ms. */
  readonly attention: readonly (readonly Float32Array[])[];
  /** The text does not end, or repeats itself. */
  readonly isLoop: boolean;
}

/** The tokens before a text in a language. The scores after the first one tell the languages. */
export const promptFor = (language: string, control: ControlTokens): number[] => [
  control.start,
  control.languageTokens.get(language)!,
  control.transcribe,
  control.noTimes,
];

/** Writes a text, beginning with the answer to its prompt: the likeliest token at each step. */
export async function writeText(decode: Decode, begun: Step, control: ControlTokens): Promise<WrittenText> {
  const tokens: Token[] = [];
  const attention: (readonly Float32Array[])[] = [];
  for (let step = begun; tokens.length < mostTokens;) {
    // Tokens above the end token are control tokens.
    const scores = step.scores.at(-1)!.subarray(0, control.end + 1);
    for (const id of control.never) scores[id] = -Infinity;
    if (tokens.length === 0) for (const id of control.neverFirst) scores[id] = -Infinity;
    const token = chooseLikeliest(scores);
    attention.push(step.attention);
    if (token.id === control.end) return { tokens, attention, isLoop: false };
    tokens.push(token);
    if (isLooping(tokens)) break;
    step = await decode([token.id]);
  }
  return { tokens, attention, isLoop: true };
}
