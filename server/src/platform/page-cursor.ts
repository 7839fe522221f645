import { largestInteger } from '@earshot/contract/values';
import { invalidField } from '../errors.ts';

/**
 * A position in a list that is sorted by time, then key, and the direction to go from it. Callers receive it as an
 * opaque text, and must repeat the filters and the order of the list.
 */
export interface PageCursor {
  /** Towards the start of the list. */
  readonly isBack: boolean;
  /** An integer in the unit of the list. */
  readonly time: number;
  readonly key: number;
}

/** Increased when the format changes, so that a cursor of another version is refused. */
const form = 1;
const pattern = new RegExp(String.raw`^${form} ([ab]) (\d{1,16}) (\d{1,16})$`);

export const writeCursor = ({ isBack, time, key }: PageCursor): string =>
  Buffer.from(`${form} ${isBack ? 'b' : 'a'} ${time} ${key}`).toString('base64url');

export function readCursor(text: string): PageCursor {
  const [, way, at, key] = pattern.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const cursor = { isBack: way === 'b', time: Number(at), key: Number(key) };
  const isExact = Math.max(cursor.time, cursor.key) <= largestInteger && writeCursor(cursor) === text;
  if (isExact) return cursor;
  throw invalidField(
    'cursor',
    'must be `next` or `previous` from a response to this request, unchanged, or be left out',
  );
}

export interface PlacedRow {
  readonly time: number;
  readonly key: number;
}

interface WalkedPage<Row> {
  /** The cursor of the request, if any. */
  readonly cursor: PageCursor | undefined;
  readonly ascending: boolean;
  /** The rows of the page, in the order of reading: away from the cursor. */
  readonly rows: readonly Row[];
  /** The last row that was read, if there are more rows after it. */
  readonly end: PlacedRow | undefined;
}

export interface CursorPage<Row> {
  /** In the order of the list. */
  readonly rows: readonly Row[];
  readonly next?: string;
  readonly previous?: string;
}

/** Builds the page with the cursors for the next and the previous one. */
export function makePage<Row extends PlacedRow>({ cursor, ascending, rows, end }: WalkedPage<Row>): CursorPage<Row> {
  const isBack = cursor?.isBack ?? false;
  const onward = end && writeCursor({ isBack, time: end.time, key: end.key });
  const origin = rows[0] ?? (cursor && beyond(cursor, ascending !== isBack));
  // There is no page before the start of the list.
  const back = cursor && origin && writeCursor({ isBack: !isBack, time: origin.time, key: origin.key });
  const [next, previous] = isBack ? [back, onward] : [onward, back];
  return {
    rows: isBack ? rows.toReversed() : rows,
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}

/** The position after the cursor's row, so that reading backwards from there starts with that row. */
const beyond = ({ time, key }: PageCursor, isRising: boolean): PlacedRow => ({
  time,
  key: isRising ? Math.min(key + 1, largestInteger) : Math.max(key - 1, 0),
});
