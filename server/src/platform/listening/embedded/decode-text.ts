import type { DecodingStep, Token } from './decoding.ts';
import { chooseLikeliest, isLooping, logProbabilityOf } from './decoding.ts';
import type { Terms } from './vocabulary-bias.ts';
import { chooseWithBias } from './vocabulary-bias.ts';

/** The text that the model wrote. */
export interface DecodedText<Attention> {
  readonly tokens: readonly Token[];
  /** For each token, and the end: how much each moment of the sound counted. */
  readonly attention: readonly Attention[];
  /** The text has no end; its tokens are meaningless. */
  readonly isLoop: boolean;
  /** Whether a term of the vocabulary was written that the model would not have written without it. */
  readonly isBiased: boolean;
}

/** Where the bias first changed the text, to return to if the term is not completed. */
interface Detour<Attention> {
  readonly tokens: number;
  readonly step: DecodingStep<Attention>;
}

/** Where a text ends. */
export interface TextEnd {
  readonly endToken: number;
  /** A text that is longer is a loop. */
  readonly mostTokens: number;
}

/** After so many terms that were begun and taken back, the rest of a text is written without the vocabulary. */
const mostReturns = 12;

/** Writes the most likely text, token by token. The probabilities are always those without the vocabulary. */
export async function decodeText<Attention>(
  start: DecodingStep<Attention>,
  { endToken, mostTokens }: TextEnd,
  terms?: Terms,
): Promise<DecodedText<Attention>> {
  const tokens: Token[] = [];
  const attention: Attention[] = [];
  const root = terms?.root;
  let step = start;
  let node = root;
  let detour: Detour<Attention> | undefined;
  let returns = 0;
  let isReturned = false;
  let isBiased = false;
  while (tokens.length < mostTokens) {
    const likeliest = chooseLikeliest(step.scores);
    const isFree = !root || !node || isReturned || returns >= mostReturns;
    const id = isFree ? likeliest.id : chooseWithBias(step.scores, likeliest.id, root, node!);
    isReturned = false;
    if (terms && root && node) {
      const isWhole = node.isEnd && (id === endToken || terms.endsWord(id));
      const following = node.children.get(id);
      if (detour && !following && !isWhole) {
        ({ step } = detour);
        tokens.length = detour.tokens;
        attention.length = detour.tokens;
        detour = undefined;
        node = root;
        isReturned = true;
        returns += 1;
        continue;
      }
      if (detour && !following) {
        isBiased = true;
        detour = undefined;
      }
      if (id !== likeliest.id) detour ??= { tokens: tokens.length, step };
      node = following ?? root.children.get(id) ?? root;
    }
    attention.push(step.attention);
    if (id === endToken) return { tokens, attention, isLoop: false, isBiased };
    tokens.push(id === likeliest.id ? likeliest : { id, logProbability: logProbabilityOf(step.scores, id) });
    if (isLooping(tokens)) break;
    step = await step.next(id);
  }
  return { tokens, attention, isLoop: true, isBiased };
}
