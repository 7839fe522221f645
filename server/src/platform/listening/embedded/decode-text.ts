import type { Token } from './decoding.ts';
import { chooseLikeliest, isLooping, logProbabilityOf } from './decoding.ts';
import type { DecodingStep } from './moonshine.ts';
import { endToken } from './moonshine.ts';
import type { TermNode } from './vocabulary-bias.ts';
import { chooseWithBias, endsWord } from './vocabulary-bias.ts';

/** The text that the model wrote. */
export interface DecodedText {
  readonly tokens: readonly Token[];
  /** For each token, and the end: how much each frame of the sound counted. */
  readonly attention: readonly Float32Array[];
  /** The text has no end; its tokens are meaningless. */
  readonly isLoop: boolean;
  /** Whether a term of the vocabulary was written that the model would not have written without it. */
  readonly isBiased: boolean;
}

/** Where the bias first changed the text, to return to if the term is not completed. */
interface Detour {
  readonly tokens: number;
  readonly step: DecodingStep;
}

/** After so many terms that were begun and taken back, the rest of a text is written without the vocabulary. */
const mostReturns = 12;

/** Writes the most likely text, token by token. The probabilities are always those without the vocabulary. */
export async function decodeText(start: DecodingStep, mostTokens: number, terms?: TermNode): Promise<DecodedText> {
  const tokens: Token[] = [];
  const attention: Float32Array[] = [];
  let step = start;
  let node = terms;
  let detour: Detour | undefined;
  let returns = 0;
  let isReturned = false;
  let isBiased = false;
  while (tokens.length < mostTokens) {
    const likeliest = chooseLikeliest(step.scores);
    const isFree = !terms || !node || isReturned || returns >= mostReturns;
    const id = isFree ? likeliest.id : chooseWithBias(step.scores, likeliest.id, terms, node!);
    isReturned = false;
    if (terms && node) {
      const isWhole = node.isEnd && endsWord(id);
      const following = node.children.get(id);
      if (detour && !following && !isWhole) {
        ({ step } = detour);
        tokens.length = detour.tokens;
        attention.length = detour.tokens;
        detour = undefined;
        node = terms;
        isReturned = true;
        returns += 1;
        continue;
      }
      if (detour && !following) {
        isBiased = true;
        detour = undefined;
      }
      if (id !== likeliest.id) detour ??= { tokens: tokens.length, step };
      node = following ?? terms.children.get(id) ?? terms;
    }
    attention.push(step.attention);
    if (id === endToken) return { tokens, attention, isLoop: false, isBiased };
    tokens.push(id === likeliest.id ? likeliest : { id, logProbability: logProbabilityOf(step.scores, id) });
    if (isLooping(tokens)) break;
    step = await step.next(id);
  }
  return { tokens, attention, isLoop: true, isBiased };
}
