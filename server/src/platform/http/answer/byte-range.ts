import type { ByteRange } from '../../storage/storage.ts';

/**
 * Reads `Range` (RFC 9110, 14.2). Undefined means the whole content: without the header, and, as the RFC permits, for
 * several ranges, another unit or a malformed header.
 */
export function readByteRange(header: string | undefined, size: number): ByteRange | 'unsatisfiable' | undefined {
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
  // An empty file has no last bytes, and Content-Range cannot express an empty range.
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
}

export const contentRange = ({ start, end }: ByteRange, size: number): string => `bytes ${start}-${end - 1}/${size}`;
