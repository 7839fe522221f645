/** A path of rules from `start` back to it, by what quiets each; undefined if there is none. */
export function findCircle(
  start: number,
  quietedBy: ReadonlyMap<number, readonly number[]>,
): readonly number[] | undefined {
  const seen = new Set<number>();
  const walk = (key: number, path: readonly number[]): readonly number[] | undefined => {
    for (const next of quietedBy.get(key) ?? []) {
      if (next === start) return [...path, key];
      if (seen.has(next)) continue;
      seen.add(next);
      const found = walk(next, [...path, key]);
      if (found) return found;
    }
    return undefined;
  };
  return walk(start, []);
}
