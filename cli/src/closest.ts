/** The known word that was probably meant, for messages about misspelled words. */
export function findClosest(word: string, known: readonly string[]): string | undefined {
  const near = known
    .map((each) => ({ each, distance: editDistance(word, each) }))
    .filter(({ each, distance }) => distance <= Math.max(1, Math.floor(each.length / 3)))
    .toSorted((a, b) => a.distance - b.distance);
  return near[0]?.each ?? known.find((each) => word.length > 1 && each.startsWith(word));
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_value, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
