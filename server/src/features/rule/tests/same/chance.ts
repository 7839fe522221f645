/** Random choices that a seed repeats. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number; both ends are possible. */
  between(least: number, most: number): number;
  /** True in one of so many cases. */
  oneIn(cases: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Some of the items, at least one, each once. */
  some<Item>(items: readonly Item[], most: number): Item[];
}

/** Mulberry32: small, and good enough to choose steps. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('There is nothing to choose from.');
    return items[between(0, items.length - 1)]!;
  };
  return {
    next,
    between,
    oneIn: (cases) => next() * cases < 1,
    pick,
    some: (items, most) => [...new Set(Array.from({ length: between(1, most) }, () => pick(items)))],
  };
}
