import { largestInteger } from '@earshot/contract/values';
import { invalidField } from '../errors.ts';

/**
 * A place in a list that is sorted by time, then key, and which way to go from it. Callers get it as a text that means
 * nothing to them; the filters and the order of the list are theirs to repeat.
 */
export interface PageCursor {
  /** Towards the start of the list. */
  readonly isBack: boolean;
  /** In the unit of the list, whole. */
  readonly time: number;
  readonly key: number;
}

/** Raised when the form changes: a cursor of another form is refused, never misread. */
const form = 1;
const pattern = new RegExp(String.raw`^${form} ([ab]) (\d{1,16}) (\d{1,16})$`);

export const writeCursor = ({ isBack, time, key }: PageCursor): string =>
  Buffer.from(`${form} ${isBack ? 'b' : 'a'} ${time} ${key}`).toString('base64url');

export function readCursor(text: string): PageCursor {
  const [, way, at, key] = pattern.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  const cursor = { isBack: way === 'b', time: Number(at), key: Number(key) };
  const isExact = Math.max(cursor.time, cursor.key) <= largestInteger && writeCursor(cursor) === text;
  if (isExact) return cursor;
  throw invalidField('cursor', 'must be `next` or `previous` of an answer to this request, unchanged; or leave it out');
}

export interface PlacedRow {
  readonly time: number;
  readonly key: number;
}

interface WalkedPage<Row> {
  /** What was asked for, if any. */
  readonly cursor: PageCursor | undefined;
  readonly ascending: boolean;
  /** What is shown, in the order of the walk: away from the cursor. */
  readonly rows: readonly Row[];
  /** How far the walk came, when there is more beyond. */
  readonly end: PlacedRow | undefined;
}

export interface Page<Row> {
  /** In the order of the list. */
  readonly rows: readonly Row[];
  readonly next?: string;
  readonly previous?: string;
}

/** The page that a walk gives, with the cursors that lead on from it. */
export function makePage<Row extends PlacedRow>({ cursor, ascending, rows, end }: WalkedPage<Row>): Page<Row> {
  const isBack = cursor?.isBack ?? false;
  const onward = end && writeCursor({ isBack, time: end.time, key: end.key });
  const origin = rows[0] ?? (cursor && beyond(cursor, ascending !== isBack));
  // Before the start of the list there is nothing.
  const back = cursor && origin && writeCursor({ isBack: !isBack, time: origin.time, key: origin.key });
  const [next, previous] = isBack ? [back, onward] : [onward, back];
  return {
    rows: isBack ? rows.toReversed() : rows,
    ...(next === undefined ? {} : { next }),
    ...(previous === undefined ? {} : { previous }),
  };
}

/** The place right after the cursor's: going back from there, the row at the cursor comes first. */
const beyond = ({ time, key }: PageCursor, isRising: boolean): PlacedRow => ({
  time,
  key: isRising ? Math.min(key + 1, largestInteger) : Math.max(key - 1, 0),
});
