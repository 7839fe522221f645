/*
 * Makes names and terms more likely while a text is written. The terms are a tree of tokens: a token that begins a term
 * is raised a little, a token that continues a term that was begun is raised more. Only whole terms count: a term that
 * was begun because of the bias, and not completed as a whole word, is taken back (decode-text.ts).
 */

const firstBonus = 2.5;
const nextBonus = 5;
const mostTerms = 500;
const mostCharacters = 60;

/** A place in a term. */
export interface TermNode {
  readonly children: ReadonlyMap<number, TermNode>;
  /** Whether a term may end here. */
  readonly isEnd: boolean;
}

interface GrowingNode {
  readonly children: Map<number, GrowingNode>;
  isEnd: boolean;
}

/** How a recogniser splits a text into tokens. */
export interface TermTokens {
  /** The tokens of a term within a text, after a space. */
  readonly encode: (term: string) => readonly number[];
  /** Whether a word that was written ends before this token. */
  readonly endsWord: (token: number) => boolean;
}

/** The terms of a vocabulary, for one recogniser. */
export interface Terms extends Pick<TermTokens, 'endsWord'> {
  readonly root: TermNode;
}

/** The first terms of a vocabulary, up to a limit; undefined if there are none. */
export function plantTerms(vocabulary: readonly string[], { encode, endsWord }: TermTokens): Terms | undefined {
  const root: GrowingNode = { children: new Map(), isEnd: false };
  for (const given of vocabulary.slice(0, mostTerms)) {
    const term = given.trim().replace(/\s+/g, ' ');
    if (term.length > mostCharacters || !/[\p{L}\p{N}]/u.test(term)) continue;
    for (const spelling of new Set([term, term[0]!.toUpperCase() + term.slice(1)])) {
      let node = root;
      for (const token of encode(spelling)) {
        const known = node.children.get(token) ?? { children: new Map(), isEnd: false };
        node.children.set(token, known);
        node = known;
      }
      node.isEnd = true;
    }
  }
  return root.children.size > 0 ? { root, endsWord } : undefined;
}

/** The token with the highest score if terms are preferred; `node` is where the text is in a term. */
export function chooseWithBias(scores: Float32Array, likeliest: number, root: TermNode, node: TermNode): number {
  let best = likeliest;
  let most = scores[likeliest]!;
  const consider = (tokens: ReadonlyMap<number, TermNode>, bonus: number) => {
    for (const token of tokens.keys()) {
      const raised = scores[token]! + bonus;
      if (raised <= most) continue;
      best = token;
      most = raised;
    }
  };
  if (node !== root) consider(node.children, nextBonus);
  if (node === root || node.isEnd) consider(root.children, firstBonus);
  return best;
}

/** Returns the terms of a vocabulary, which all stretches of a clip share. */
export function createTermPlanter(tokens: TermTokens): (vocabulary: readonly string[]) => Terms | undefined {
  const planted = new WeakMap<readonly string[], { readonly terms: Terms | undefined }>();
  return (vocabulary) => {
    const known = planted.get(vocabulary) ?? { terms: plantTerms(vocabulary, tokens) };
    planted.set(vocabulary, known);
    return known.terms;
  };
}
