import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Costs } from './costs.ts';
import { estimateCosts, readSizes } from './costs.ts';
import { findByGrams } from './gram-queries.ts';
import type { Search } from './matching.ts';
import { needed } from './matching.ts';
import type { Walked } from './walk-queries.ts';
import { chooseLanes, walk } from './walk-queries.ts';

/*
 * There are two ways to find matches: the index of grams, which is fast for rare phrases, and a scan in time order (a
 * walk), which is fast for common ones. A short first walk estimates which is faster for this search. Both find the
 * same matches.
 *
 *   the first walk covered all captions              done
 *   a walk to 10,000 matches is faster               longer walk
 *   otherwise                                        the index, up to 10,001 of its matches:
 *     no more than 10,000                            these are all, done
 *     more                                           the slice by a walk, or, if that is slower, all matches sorted
 */

export interface Matches {
  readonly total: number;
  readonly isComplete: boolean;
  readonly keys: readonly number[];
}

/** Runs a search in one transaction, because the planner settings apply to it alone. */
export function inSearch<Result>(db: Pool, work: (tx: Db) => Promise<Result>): Promise<Result> {
  return inTransaction(db, async (tx) => {
    const [, result] = await Promise.all([setPlannerOptions(tx), work(tx)]);
    return result;
  });
}

/** Plans each statement for its values, without sequential scans, and with enough memory for exact bitmaps. */
const setPlannerOptions = (tx: Db) => tx`
  select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('work_mem', '64MB', true)`;

export async function findMatches(tx: Db, search: Search): Promise<Matches> {
  const lanes = chooseLanes(search.scope);
  const [first, sizes] = await Promise.all([walk(tx, search, search.limits.firstLook[lanes]), readSizes(tx, search)]);
  return conclude(first, search) ?? (await findMore(tx, search, first, estimateCosts(search, lanes, first, sizes)));
}

function conclude({ found, isWhole, certain, keys }: Walked, search: Search): Matches | undefined {
  const { mostCounted } = search.limits;
  if (isWhole && found <= mostCounted) return { total: found, isComplete: true, keys };
  if (found > mostCounted && (isWhole || certain >= needed(search)))
    return { total: mostCounted, isComplete: false, keys };
  return undefined;
}

async function findMore(tx: Db, search: Search, first: Walked, costs: Costs): Promise<Matches> {
  const { mostCounted, longestWalk } = search.limits;
  const walkFor = (matches: number) => walk(tx, search, Math.ceil(costs.walkLength(matches) * 1.15) + first.looked);
  const isFaster = (matches: number, gramCost: number) =>
    costs.walkLength(matches) <= longestWalk && costs.walk(matches) < gramCost;
  const many = Math.max(mostCounted + 1, needed(search));
  if (isFaster(many, costs.grams(mostCounted + 1))) {
    const second = conclude(await walkFor(many), search);
    if (second) return second;
  }
  const bounded = { isBounded: true, isByDevice: costs.isByDevice(mostCounted + 1) };
  const { found, keys } = await findByGrams(tx, search, bounded);
  if (found <= mostCounted) return { total: found, isComplete: true, keys };
  const total = { total: mostCounted, isComplete: false };
  if (isFaster(needed(search), costs.grams(Infinity))) {
    const third = await walkFor(needed(search));
    if (third.isWhole || third.certain >= needed(search)) return { ...total, keys: third.keys };
  }
  const unbounded = { isBounded: false, isByDevice: costs.isByDevice(Infinity) };
  return { ...total, keys: (await findByGrams(tx, search, unbounded)).keys };
}
