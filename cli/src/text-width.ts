/** How many columns of a terminal a text takes, and cutting it to a number of columns. */

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Ranges of characters that take two columns (East Asian wide and emoji), by first and last code point. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe4f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

function graphemeWidth(grapheme: string): number {
  const code = grapheme.codePointAt(0) ?? 0;
  if (/^[\p{Mn}\p{Me}\p{Cf}]/u.test(grapheme)) return 0;
  return wide.some(([first, last]) => code >= first && code <= last) ? 2 : 1;
}

const isPlain = (text: string): boolean => /^[\x20-\x7E]*$/.test(text);

export function textWidth(text: string): number {
  if (isPlain(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += graphemeWidth(segment);
  return width;
}

/** Cut at the end, with … in the last column. */
export function cutText(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const { segment } of segmenter.segment(text)) {
    width += graphemeWidth(segment);
    if (width > columns - 1) break;
    cut += segment;
  }
  return columns > 0 ? `${cut}…` : '';
}

export const padText = (text: string, columns: number, atStart = false): string => {
  const space = ' '.repeat(Math.max(0, columns - textWidth(text)));
  return atStart ? space + text : text + space;
};
