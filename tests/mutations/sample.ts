import { createHash } from 'node:crypto';

/**
 * Chooses some items by a seed and by what they say, so that the same items are chosen after the list became longer
 * elsewhere.
 */
export function sample<Item>(
  items: readonly Item[],
  count: number,
  seed: number,
  textOf: (item: Item) => string,
): Item[] {
  const seen = new Map<string, number>();
  const numbered = items.map((item) => {
    const text = textOf(item);
    const occurrence = (seen.get(text) ?? 0) + 1;
    seen.set(text, occurrence);
    const place = createHash('sha256').update(`${seed} ${occurrence} ${text}`).digest('hex');
    return { item, place };
  });
  const chosen = new Set(numbered.toSorted((a, b) => (a.place < b.place ? -1 : 1)).slice(0, count));
  return numbered.filter((each) => chosen.has(each)).map(({ item }) => item);
}
