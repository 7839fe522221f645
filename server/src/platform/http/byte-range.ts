/** `end` is exclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Reads `Range` (RFC 9110, 14.2): one range is answered; several, another unit and what is malformed are answered with
 * the whole, as the RFC leaves open. Undefined: the whole.
 */
export function readRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '');
  if (!match) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'unsatisfiable';
  return { start, end: last === '' ? size : Math.min(Number(last) + 1, size) };
}

function suffix(length: number, size: number): ByteRange | 'unsatisfiable' | undefined {
  if (length === 0) return 'unsatisfiable';
  // Of nothing the last bytes are nothing, which no Content-Range can say.
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
}

export const contentRange = ({ start, end }: ByteRange, size: number): string => `bytes ${start}-${end - 1}/${size}`;
