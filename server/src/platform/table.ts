import { mostRowsCounted } from '@earshot/contract/sorted-page';
import { defaultCount } from '@earshot/contract/values';
import type { Db, Fragment, Pool } from './database/connect.ts';
import type { Caller } from './http/caller.ts';
import type { PagePlace, SortPlace, SortValue } from './sorted-page.ts';
import { readSortPlace, selectSorted, writeSortPlace } from './sorted-page.ts';

/*
 * Tables: lists that are sorted by one of several values, filtered, and counted to a limit. A feature declares what its
 * table reads; pages, cursors and numbers follow from that.
 */

export interface PlacedKey {
  readonly place: number | string | null;
  readonly key: number;
}

interface PageRequest<Sort extends string> {
  readonly sortBy?: Sort;
  readonly order?: string;
  readonly count?: number;
  readonly cursor?: string;
}

export interface DeclaredTable<Sort extends string, Given, Row extends PlacedKey> {
  /** The first is the usual one. */
  readonly sorts: readonly [Sort, ...Sort[]];
  readonly values: (db: Db) => Readonly<Record<Sort, SortValue>>;
  /** The key of a row. */
  readonly key: (db: Db) => Fragment;
  /** The same, as the second column of the index of an order. */
  readonly keyOf?: (db: Db, sort: Sort) => Fragment;
  /** `from … where …` with all conditions, among them what the caller may read. */
  readonly from: (db: Db, caller: Caller, given: Given) => Fragment;
  /**
   * A query for keys, with at least those of all rows that the caller may read. If it finds few, these are sorted;
   * otherwise, and for an admin, the index of the order is followed until the page is full. Missing: for admins only.
   */
  readonly possible?: (db: Db, caller: Caller) => Fragment;
  /** Reads what is shown of the rows of a page, and of these alone: `with … select page.place, … order by page.position`. */
  readonly read: (db: Db, caller: Caller, page: Fragment) => Promise<Row[]>;
}

/** Of more rows, an index that is followed soon gives a page; sorting all of them would compute the right to each. */
const mostFew = 2_000;

/** The keys of the rows that the caller may read at most, if they are few. */
export async function findFewKeys(
  db: Db,
  caller: Caller,
  { possible }: { readonly possible?: (db: Db, caller: Caller) => Fragment },
): Promise<readonly number[] | undefined> {
  if (caller.role === 'admin' || !possible) return undefined;
  const rows = await db<{ key: number }[]>`select key from (${possible(db, caller)}) o limit ${mostFew + 1}`;
  return rows.length > mostFew ? undefined : rows.map(({ key }) => key);
}

export interface RowPlaces<Sort extends string, Given> extends PagePlace {
  readonly given: Given;
  readonly sort: Sort;
  /** From `findFewKeys`. */
  readonly few: readonly number[] | undefined;
}

/** The rows of a page, in order. */
export async function findRows<Sort extends string, Given, Row extends PlacedKey>(
  db: Db,
  caller: Caller,
  table: DeclaredTable<Sort, Given, Row>,
  { given, sort, few, ...place }: RowPlaces<Sort, Given>,
): Promise<Row[]> {
  const among = few ? db`and ${table.key(db)} = any(${few as number[]}::bigint[])` : db``;
  const from = db`${table.from(db, caller, given)} ${among}`;
  const key = table.keyOf?.(db, sort) ?? table.key(db);
  const sorted = selectSorted(db, { from, sort: table.values(db)[sort], key, ...place });
  return table.read(
    db,
    caller,
    db`page as materialized (select place, key, row_number() over () as position from (${sorted}) sorted)`,
  );
}

/** The number of rows, counted to one more than `mostRowsCounted`. */
export async function countRows<Sort extends string, Given, Row extends PlacedKey>(
  db: Db,
  caller: Caller,
  table: DeclaredTable<Sort, Given, Row>,
  given: Given,
): Promise<number> {
  const possible = caller.role === 'admin' ? undefined : table.possible?.(db, caller);
  const among = possible ? db`and ${table.key(db)} in (${possible})` : db``;
  return countFound(db, db`${table.from(db, caller, given)} ${among}`);
}

/** The same for `from … where …`. */
export async function countFound(db: Db, from: Fragment): Promise<number> {
  const [row] = await db<{ found: number }[]>`
    select count(*)::int as found from (select 1 ${from} limit ${mostRowsCounted + 1}) counted`;
  return row?.found ?? 0;
}

/** The page of a table that a request asks for. */
export function findTablePage<Sort extends string, Given extends PageRequest<Sort>, Row extends PlacedKey>(
  db: Pool,
  caller: Caller,
  table: DeclaredTable<Sort, Given, Row>,
  given: Given,
): Promise<SortedPage<Row>> {
  return findPage(given, table.sorts, table.values(db), {
    findRows: async (sort, place) =>
      findRows(db, caller, table, { given, sort, few: await findFewKeys(db, caller, table), ...place }),
    countRows: () => countRows(db, caller, table, given),
  });
}

export interface SortedPage<Row> {
  readonly results: Row[];
  readonly total: number;
  readonly isExact: boolean;
  readonly next?: string;
}

interface PageReads<Sort extends string, Row> {
  readonly findRows: (sort: Sort, place: PagePlace) => Promise<readonly Row[]>;
  readonly countRows: () => Promise<number>;
}

/** The same for a list that has queries of its own. */
export async function findPage<Sort extends string, Row extends PlacedKey>(
  given: PageRequest<Sort>,
  sorts: readonly [Sort, ...Sort[]],
  values: Readonly<Record<Sort, Pick<SortValue, 'kind' | 'isAlwaysKnown'>>>,
  reads: PageReads<Sort, Row>,
): Promise<SortedPage<Row>> {
  const { sortBy: sort = sorts[0], cursor } = given;
  const count = given.count || defaultCount;
  const after: SortPlace | undefined = cursor === undefined ? undefined : readSortPlace(cursor, sort, values[sort]);
  const ascending = given.order?.toLowerCase() !== 'desc';
  // One row more than asked for tells whether there are more.
  const [rows, found] = await Promise.all([
    reads.findRows(sort, { ascending, after, limit: count + 1 }),
    reads.countRows(),
  ]);
  const shown = rows.slice(0, count);
  const last = rows.length > count ? shown.at(-1) : undefined;
  return {
    results: shown,
    total: Math.min(found, mostRowsCounted),
    isExact: found <= mostRowsCounted,
    ...(last ? { next: writeSortPlace(sort, { value: last.place ?? undefined, key: last.key }) } : {}),
  };
}

/** Any of the fields contains the text, in any case. */
export function containsText(db: Db, text: string | undefined, ...fields: readonly Fragment[]): Fragment {
  if (!text) return db``;
  const pattern = `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  return db`and (${fields.reduce((any, field) => db`${any} or ${field} ilike ${pattern}`, db`false`)})`;
}
