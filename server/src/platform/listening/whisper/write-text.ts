import type { DecodedText } from '../embedded/decode-text.ts';
import { decodeText } from '../embedded/decode-text.ts';
import type { DecodingStep } from '../embedded/decoding.ts';
import type { Terms } from '../embedded/vocabulary-bias.ts';
import type { ControlTokens } from './control-tokens.ts';
import type { Step } from './whisper.ts';

const mostTokens = 224;

/** The attention of each alignment head, in steps of 20 ms. */
type Attention = readonly Float32Array[];

/** The tokens before a text in a language. The scores after the first one tell the languages. */
export const promptFor = (language: string, control: ControlTokens): number[] => [
  control.start,
  control.languageTokens.get(language)!,
  control.transcribe,
  control.noTimes,
];

/** Writes a text, beginning with the answer to its prompt. */
export const writeText = (begun: Step, control: ControlTokens, terms?: Terms): Promise<DecodedText<Attention>> =>
  decodeText(textStep(begun, control, true), { endToken: control.end, mostTokens }, terms);

/** The same step without the tokens that are never spoken. */
function textStep(step: Step, control: ControlTokens, isFirst: boolean): DecodingStep<Attention> {
  // Tokens above the end token are control tokens.
  const scores = step.scores.at(-1)!.subarray(0, control.end + 1);
  for (const id of control.never) scores[id] = -Infinity;
  if (isFirst) for (const id of control.neverFirst) scores[id] = -Infinity;
  const { attention } = step;
  return { scores, attention, next: async (token) => textStep(await step.next(token), control, false) };
}
