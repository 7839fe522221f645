import type { Db } from '../../platform/database/connect.ts';
import { numberArray } from '../../platform/database/number-array.ts';
import type { Search } from './matching.ts';
import { isMatch } from './matching.ts';
import { hitColumns, sliceOf } from './ranking.ts';
import { inRange, ofDevices } from './scope.ts';
import { gramLists } from '../caption-index/public.ts';

export interface GramMatches {
  readonly found: number;
  readonly keys: readonly number[];
}

export interface GramWay {
  readonly isBounded: boolean;
  /** Whether the index by device is used too. It is used for all captions of the devices. */
  readonly isByDevice: boolean;
}

/**
 * Finds matches by the index of grams: the first ones up to one more than are counted, or all of them. The slice is
 * correct only if these are all.
 */
export async function findByGrams(db: Db, search: Search, { isBounded, isByDevice }: GramWay): Promise<GramMatches> {
  const { terms, others, limits, scope } = search;
  const limit = isBounded ? db`limit ${limits.mostCounted + 1}` : db``;
  const areAll = db`((select count(*) from hits) <= ${limits.mostCounted})`;
  const keys = sliceOf(db, search, { rows: db`hits`, areAll });
  const mayMatch = gramLists(terms, others?.unextended)
    .map((grams) => db`grams @> ${numberArray(grams)}::integer[]`)
    .reduce((before, next) => db`${before} or ${next}`);
  // The other conditions are in the outer query, so that the planner cannot use other indexes here.
  const isOfDevices = ofDevices(db, scope);
  const [row] = await db<[GramMatches]>`
    with hits as materialized (
      select ${hitColumns(db, search)}
      from (select * from caption_search s where (${mayMatch}) and ${isByDevice ? isOfDevices : db`true`} offset 0) s
      where ${isByDevice ? db`true` : isOfDevices} and ${inRange(db, scope, db`s.start_ms`)} and ${isMatch(db, search)} ${limit})
    select (select count(*) from hits) as found, ${isBounded ? db`case when ${areAll} then ${keys} end` : keys} as keys`;
  return row;
}
