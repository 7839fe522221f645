/** Random choices that a seed repeats. */
export interface Chance {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number; both ends are possible. */
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, and good enough to choose traps. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (items) => {
      const item = items[between(0, items.length - 1)];
      if (item === undefined) throw new Error('There is nothing to choose from.');
      return item;
    },
  };
}

/** Deals every item once, in random order, before it deals one again: a long run leaves none out. */
export function createDeck<Item>(chance: Chance, items: readonly Item[]): () => Item {
  let left: Item[] = [];
  return () => {
    if (left.length === 0) left = [...items];
    const item = chance.pick(left);
    left.splice(left.indexOf(item), 1);
    return item;
  };
}
