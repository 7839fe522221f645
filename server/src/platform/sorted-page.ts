import { latestEpoch } from '@earshot/contract/values';
import { invalidField } from '../errors.ts';
import type { Db, Fragment } from './database/connect.ts';

/*
 * Pages of a list that is sorted by one of several values, then by key. Rows without the value come last in both
 * directions, so a page has two parts: rows with the value, along its index, and then rows without it.
 */

type Kind = 'integer' | 'number' | 'text' | 'date';

/** A value by which a list is sorted, as a fragment over the aliases of the list. Texts are compared by their bytes. */
export interface SortValue {
  readonly value: Fragment;
  readonly kind: Kind;
  /** Every row has it. */
  readonly isAlwaysKnown?: boolean;
}

interface WrittenForm {
  readonly placed: (db: Db, value: Fragment) => Fragment;
  readonly read: (db: Db, at: unknown) => Fragment;
}

/** How values are written in a cursor and read from it, for each kind. A date is a number of microseconds. */
const forms: Readonly<Record<Kind, WrittenForm>> = {
  integer: { placed: (db, value) => db`${value}::bigint`, read: (db, at) => db`${Number(at)}::bigint` },
  number: { placed: (db, value) => db`${value}::float8`, read: (db, at) => db`${Number(at)}::float8` },
  text: { placed: (db, value) => db`${value}::text`, read: (db, at) => db`${String(at)}::text` },
  date: {
    placed: (db, value) => db`(extract(epoch from ${value}::timestamptz) * 1000000)::bigint`,
    read: (db, at) => db`('epoch'::timestamptz + ${Number(at)}::bigint * interval '1 microsecond')`,
  },
};

export interface SortPlace {
  /** Undefined: among the rows without the value. */
  readonly value: number | string | undefined;
  readonly key: number;
}

/** Increased when the format changes, so that a cursor of another version is refused. */
const form = 1;

export const writeSortPlace = (sort: string, { value, key }: SortPlace): string =>
  Buffer.from(JSON.stringify([form, sort, value ?? null, key])).toString('base64url');

export function readSortPlace(
  cursor: string,
  sort: string,
  { kind, isAlwaysKnown = false }: Pick<SortValue, 'kind' | 'isAlwaysKnown'>,
): SortPlace {
  const place = parsePlace(cursor);
  const [, , value, key] = place;
  const isFitting = value === null ? !isAlwaysKnown : isOfKind[kind](value);
  const found = { value: (value ?? undefined) as SortPlace['value'], key: key as number };
  if (isFitting && Number.isSafeInteger(key) && writeSortPlace(sort, found) === cursor) return found;
  throw invalidField('cursor', 'must be `next` of a response to this request, unchanged, or be left out');
}

const latestMicroseconds = latestEpoch * 1_000_000;

const isOfKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  text: (value) => isText(value),
  date: (value) => Number.isSafeInteger(value) && Math.abs(value as number) <= latestMicroseconds,
};

const isText = (value: unknown): boolean => typeof value === 'string' && !value.includes('\0') && value.isWellFormed();

function parsePlace(cursor: string): readonly unknown[] {
  try {
    const read: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(read) ? read : [];
  } catch {
    return [];
  }
}

/** Which rows a page has. */
export interface PagePlace {
  readonly ascending: boolean;
  readonly after: SortPlace | undefined;
  readonly limit: number;
}

interface SortedRows extends PagePlace {
  /** `from … where …` with all conditions of the list. */
  readonly from: Fragment;
  readonly sort: SortValue;
  /** The key of a row: the second column of each index. */
  readonly key: Fragment;
}

/** A query for the first rows of the list after a place: their `place` and `key`, in order. */
export function selectSorted(db: Db, { from, sort, key, ascending, after, limit }: SortedRows): Fragment {
  const { value, kind, isAlwaysKnown } = sort;
  const { placed, read } = forms[kind];
  const [way, sign] = ascending ? [db`asc`, db`>`] : [db`desc`, db`<`];
  const isAmongUnknown = after !== undefined && after.value === undefined;
  const beyond =
    after === undefined ? db`` : db`and (${value}, ${key}) ${sign} (${read(db, after.value)}, ${after.key}::bigint)`;
  const further = isAmongUnknown ? db`and ${key} ${sign} ${after.key}::bigint` : db``;
  const known = db`
    select ${placed(db, value)} as place, ${key} as key ${from} and ${value} is not null ${beyond}
    order by ${value} ${way}, ${key} ${way} limit ${limit}`;
  if (isAlwaysKnown) return known;
  const unknown = db`
    select null, ${key} as key ${from} and ${value} is null ${further}
    order by ${value} ${way}, ${key} ${way} limit ${limit}`;
  if (isAmongUnknown) return db`select ${placed(db, db`null`)} as place, u.key from (${unknown}) u`;
  const order = kind === 'text' ? db`place collate "C"` : db`place`;
  return db`
    select place, key from ((${known}) union all (${unknown})) found
    order by ${order} ${way} nulls last, key ${way} limit ${limit}`;
}
