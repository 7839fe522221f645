import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Costs } from './costs.ts';
import { estimateCosts, readSizes } from './costs.ts';
import { findByGrams } from './gram-queries.ts';
import type { Search } from './matching.ts';
import { needed } from './matching.ts';
import type { Walked } from './walk-queries.ts';
import { chooseLanes, walk, walkToCount } from './walk-queries.ts';

/*
 * There are two ways to find matches: the index of grams, which is fast for rare phrases, and a scan in time order (a
 * walk), which is fast for common ones. A short first walk estimates which is faster for this search. Both find the
 * same matches.
 *
 *   the first walk covered all captions              done
 *   otherwise, up to 10,001 matches are looked for   in time, or in the index of grams if that is faster
 *     no more than 10,000                            these are all, done
 *     more                                           the slice by the first walk or a longer one, or, if that is
 *                                                    slower, all matches sorted
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
  const lanes = chooseLanes(search);
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
  const many = mostCounted + 1;
  let isMany = false;
  if (costs.walkLength(many) <= longestWalk && costs.count(many) < costs.grams(many)) {
    const second = await walkToCount(tx, search, first, lengthFor(many, first, costs));
    const concluded = conclude(second, search);
    if (concluded) return concluded;
    isMany = second.found > mostCounted;
  }
  if (!isMany) {
    const { found, keys } = await findByGrams(tx, search, { isBounded: true, isByDevice: costs.isByDevice(many) });
    if (found <= mostCounted) return { total: found, isComplete: true, keys };
  }
  return { total: mostCounted, isComplete: false, keys: await findSlice(tx, search, first, costs) };
}

const lengthFor = (matches: number, first: Walked, costs: Costs): number =>
  Math.ceil(costs.walkLength(matches) * 1.15) + first.looked;

/** The slice, if there are more matches than are counted. */
async function findSlice(tx: Db, search: Search, first: Walked, costs: Costs): Promise<readonly number[]> {
  const most = needed(search);
  if (first.certain >= most) return first.keys;
  if (costs.walkLength(most) <= search.limits.longestWalk && costs.walk(most) < costs.grams(Infinity)) {
    const { isWhole, certain, keys } = await walk(tx, search, lengthFor(most, first, costs));
    if (isWhole || certain >= most) return keys;
  }
  const isByDevice = costs.isByDevice(Infinity);
  return (await findByGrams(tx, search, { isBounded: false, isByDevice })).keys;
}
