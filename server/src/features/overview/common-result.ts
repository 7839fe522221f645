/** Numbers in the result of an event, as a pattern that PostgreSQL and JavaScript read alike. */
export const numbersInResult = '[0-9]+([.,:][0-9]+)*';

/** What results have in common that differ only in numbers: a number that differs is written as "…". */
export function commonResult(results: readonly string[]): string {
  const [first = '', ...others] = results;
  const numbersOf = (text: string) => [...text.matchAll(new RegExp(numbersInResult, 'g'))].map(([number]) => number);
  const rest = others.map(numbersOf);
  let place = -1;
  return first.replaceAll(new RegExp(numbersInResult, 'g'), (number) => {
    place += 1;
    return rest.every((numbers) => numbers[place] === number) ? number : '…';
  });
}
