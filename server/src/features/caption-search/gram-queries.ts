import type { Db } from '../../platform/database/connect.ts';
import type { Search } from './matching.ts';
import { isMatch } from './match-queries.ts';
import { hitColumns, sliceOf } from './ranking-queries.ts';
import { inRange, ofDevices } from './scope-queries.ts';
import { mayContain } from '../caption-index/public.ts';

export interface GramMatches {
  readonly found: number;
  readonly keys: readonly number[];
}

/**
 * Finds matches by the index of grams: the first ones up to one more than are counted, or all of them. The slice is
 * correct only if these are all. PostgreSQL knows how many captions each device has, so it decides whether to use the
 * index by device too.
 */
export async function matchByGrams(db: Db, search: Search, which: 'counted' | 'all'): Promise<GramMatches> {
  const { terms, others, limits, scope } = search;
  const limit = which === 'counted' ? db`limit ${limits.mostCounted + 1}` : db``;
  const areAll = db`((select count(*) from hits) <= ${limits.mostCounted})`;
  const keys = sliceOf(db, search, { rows: db`hits`, areAll });
  const mayMatch = mayContain(db, db`grams`, terms, others?.unextended);
  // The other conditions are in the outer query, so that PostgreSQL cannot use further indexes here.
  const [row] = await db<[GramMatches]>`
    with hits as materialized (
      select ${hitColumns(db, search)}
      from (select * from caption_search s where (${mayMatch}) and ${ofDevices(db, scope)} offset 0) s
      where ${inRange(db, scope, db`s.start_ms`)} and ${isMatch(db, search)} ${limit})
    select (select count(*) from hits) as found, ${which === 'counted' ? db`case when ${areAll} then ${keys} end` : keys} as keys`;
  return row;
}
