/** `1 clip`, `2 clips`. */
export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** An estimate, with no more figures than it knows: `About 53,000 clips`. */
export const aboutText = (count: number, one: string): string =>
  `About ${count.toLocaleString('en', { maximumSignificantDigits: 2 })} ${one}s`;
