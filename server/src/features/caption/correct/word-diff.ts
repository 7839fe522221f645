/*
 * Finds which words of a text were kept when it was rewritten. Words are compared without case and punctuation. Both
 * texts may have a hundred thousand words and nothing in common: equal words at both ends are matched first, then words
 * that occur once in each text, and only small remaining parts are compared word by word.
 */

/** A remaining part that needs more comparisons and has no unique words in common counts as rewritten. */
const mostComparisons = 1_000_000;

type Pair = readonly [former: number, later: number];

/** For each word of the later text the index of the matching former word; -1 for new words. */
export function matchWords(former: readonly string[], later: readonly string[]): Int32Array {
  const [a, b] = [former.map(plain), later.map(plain)];
  const matches = new Int32Array(b.length).fill(-1);
  const rests: Range[] = [{ aFrom: 0, aTo: a.length, bFrom: 0, bTo: b.length }];
  for (let rest = rests.pop(); rest; rest = rests.pop()) {
    let { aFrom, aTo, bFrom, bTo } = rest;
    for (; aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]; aFrom++, bFrom++) matches[bFrom] = aFrom;
    for (; aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]; aTo--, bTo--) matches[bTo - 1] = aTo - 1;
    const range = { aFrom, aTo, bFrom, bTo };
    if (aFrom === aTo || bFrom === bTo) continue;
    const anchors = growing(uniquePairs(a, b, range));
    if (anchors.length > 0) {
      let [aNext, bNext] = [aFrom, bFrom];
      for (const [aAt, bAt] of anchors) {
        matches[bAt] = aAt;
        rests.push({ aFrom: aNext, aTo: aAt, bFrom: bNext, bTo: bAt });
        [aNext, bNext] = [aAt + 1, bAt + 1];
      }
      rests.push({ aFrom: aNext, aTo, bFrom: bNext, bTo });
    } else if ((aTo - aFrom) * (bTo - bFrom) <= mostComparisons) {
      for (const [aAt, bAt] of longestCommon(a, b, range)) matches[bAt] = aAt;
    }
  }
  return matches;
}

interface Range {
  readonly aFrom: number;
  readonly aTo: number;
  readonly bFrom: number;
  readonly bTo: number;
}

const plain = (word: string): string => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '') || word;

/** Words that occur once in each text, in the order of the later text. */
function uniquePairs(a: readonly string[], b: readonly string[], { aFrom, aTo, bFrom, bTo }: Range): Pair[] {
  const places = (words: readonly string[], from: number, to: number) => {
    const found = new Map<string, number>();
    for (let at = from; at < to; at++) found.set(words[at]!, found.has(words[at]!) ? -1 : at);
    return found;
  };
  const inA = places(a, aFrom, aTo);
  return [...places(b, bFrom, bTo)]
    .map(([word, bAt]): Pair => [inA.get(word) ?? -1, bAt])
    .filter(([aAt, bAt]) => aAt >= 0 && bAt >= 0)
    .toSorted(([, x], [, y]) => x - y);
}

/** The longest subsequence of the pairs whose positions increase in both texts. */
function growing(pairs: readonly Pair[]): Pair[] {
  const ends: number[] = [];
  const before = new Int32Array(pairs.length);
  for (const [index, [aAt]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pairs[ends[middle]!]![0] < aAt) low = middle + 1;
      else high = middle;
    }
    before[index] = low > 0 ? ends[low - 1]! : -1;
    ends[low] = index;
  }
  const kept: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) kept.push(pairs[at]!);
  return kept.toReversed();
}

function longestCommon(a: readonly string[], b: readonly string[], { aFrom, aTo, bFrom, bTo }: Range): Pair[] {
  const width = bTo - bFrom + 1;
  const lengths = new Int32Array((aTo - aFrom + 1) * width);
  const at = (i: number, j: number) => (i - aFrom) * width + (j - bFrom);
  for (let i = aTo - 1; i >= aFrom; i--) {
    for (let j = bTo - 1; j >= bFrom; j--) {
      lengths[at(i, j)] =
        a[i] === b[j] ? lengths[at(i + 1, j + 1)]! + 1 : Math.max(lengths[at(i + 1, j)]!, lengths[at(i, j + 1)]!);
    }
  }
  const pairs: Pair[] = [];
  for (let [i, j] = [aFrom, bFrom]; i < aTo && j < bTo;) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (lengths[at(i + 1, j)]! >= lengths[at(i, j + 1)]!) i++;
    else j++;
  }
  return pairs;
}
