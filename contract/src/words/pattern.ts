/*
 * Words said in one of several ways at each place of a sequence. The ways are compared place by place, so they do not
 * multiply: `ABC123` has four ways for each letter and some for the number.
 *
 *   abc123    or    abc, or (a, adam, alpha) (b, boy, bravo) (c, charles, charlie)    then    123, or one two three
 */
export type Pattern = readonly PatternPlace[];

/** One of these occurs at the place. */
export type PatternPlace = readonly (string | Pattern)[];

/** The pattern as a regular expression, for JavaScript and for PostgreSQL. Words are letters and digits only. */
export const expressionOf = (pattern: Pattern): string => ` ${sequenceOf(pattern)} `;

const sequenceOf = (pattern: Pattern): string => pattern.map(placeOf).join(' ');

function placeOf(place: PatternPlace): string {
  const ways = place.map((way) => (typeof way === 'string' ? way : sequenceOf(way)));
  return ways.length === 1 ? ways[0]! : `(?:${ways.join('|')})`;
}

/** The pattern without ways that do not satisfy the condition; undefined if nothing is left. */
export function prunePattern(pattern: Pattern, isKnown: (words: string) => boolean): Pattern | undefined {
  const places = pattern.map((place) =>
    place
      .map((way) => (typeof way === 'string' ? (isKnown(way) ? way : undefined) : prunePattern(way, isKnown)))
      .filter((way) => way !== undefined),
  );
  return places.every(({ length }) => length > 0) ? places : undefined;
}

/** All words that occur in the pattern. */
export const wordsOfPattern = (pattern: Pattern): readonly string[] =>
  pattern.flat().flatMap((way) => (typeof way === 'string' ? way.split(' ') : wordsOfPattern(way)));

/** The number of words of the longest way to say all. */
export const longestOfPattern = (pattern: Pattern): number =>
  pattern.reduce(
    (sum, place) =>
      sum + Math.max(...place.map((way) => (typeof way === 'string' ? way.split(' ').length : longestOfPattern(way)))),
    0,
  );

/**
 * Sequences of words, at most about so many: each text with the pattern has one of them. Those of the adjacent places that
 * say most are chosen.
 */
export function partsOfPattern(pattern: Pattern, most: number): readonly string[] {
  const places = pattern.map((place) =>
    place.flatMap((way) => (typeof way === 'string' ? [way] : partsOfPattern(way, Math.max(1, most / place.length)))),
  );
  let best: readonly string[] = [];
  for (let from = 0; from < places.length; from++) {
    let parts: readonly string[] = places[from]!;
    for (let next = from + 1; next < places.length; next++) {
      if (!isWholePlace(pattern[next - 1]!) || !isWholePlace(pattern[next]!)) break;
      if (parts.length * places[next]!.length > most) break;
      parts = parts.flatMap((before) => places[next]!.map((after) => `${before} ${after}`));
    }
    if (best.length === 0 || shortest(parts) > shortest(best)) best = parts;
  }
  return best;
}

/** Whether the parts of a place are all of it, so that the next place follows directly. */
const isWholePlace = (place: PatternPlace): boolean => place.every((way) => typeof way === 'string');

const shortest = (parts: readonly string[]): number => Math.min(...parts.map(({ length }) => length));
