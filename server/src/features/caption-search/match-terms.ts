import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { matchByGrams } from './gram-queries.ts';
import { setPlannerOptions } from './match-queries.ts';
import type { Search } from './matching.ts';
import { needed } from './matching.ts';
import type { Counted, Walked } from './walk-queries.ts';
import { chooseLanes, countOfDevices, walk, walkToCount } from './walk-queries.ts';

/*
 * There are two ways to find matches: the index of grams, which is fast for rare phrases, and a scan in time order (a
 * walk), which is fast for common ones. A short first walk tells how common the search is. Both find the same matches.
 *
 *   the first walk covered all captions              done
 *   otherwise, up to 10,001 matches are looked for   in time if a short walk should find them, else in the index of grams
 *     no more than 10,000                            these are all, done
 *     more                                           the slice by the first walk or another short one, else all matches
 *                                                    sorted
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

export async function matchTerms(tx: Db, search: Search): Promise<Matches> {
  const first = await walk(tx, search, search.limits.firstLook[chooseLanes(search)]);
  return conclude(first, search) ?? (await matchBeyondFirstWalk(tx, search, first));
}

function conclude({ found, isWhole, certain, keys }: Counted, search: Search): Matches | undefined {
  const { mostCounted } = search.limits;
  if (isWhole && found <= mostCounted) return { total: found, isComplete: true, keys };
  if (found > mostCounted && (isWhole || certain >= needed(search)))
    return { total: mostCounted, isComplete: false, keys };
  return undefined;
}

/** Whether a walk to so many matches should be short, if they are as frequent as in the first walk. */
type IsShort = (matches: number) => boolean;

async function matchBeyondFirstWalk(tx: Db, search: Search, first: Walked): Promise<Matches> {
  const { mostCounted, longestWalk } = search.limits;
  const ofDevices = await countOfDevices(tx, search, first);
  const isShort: IsShort = (matches) => first.found > 0 && (matches * ofDevices) / first.found <= longestWalk;
  const many = mostCounted + 1;
  let isMany = false;
  if (isShort(many)) {
    const second = await walkToCount(tx, search, first, lengthFor(many, first));
    const concluded = conclude(second, search);
    if (concluded) return concluded;
    isMany = second.found > mostCounted;
  }
  if (!isMany) {
    const { found, keys } = await matchByGrams(tx, search, 'counted');
    if (found <= mostCounted) return { total: found, isComplete: true, keys };
  }
  return { total: mostCounted, isComplete: false, keys: await matchSlice(tx, search, first, isShort) };
}

/** The captions to read for so many matches, with a reserve. */
const lengthFor = (matches: number, { looked, found }: Walked): number =>
  Math.ceil((matches * looked * 1.15) / found) + looked;

/** The slice, if there are more matches than are counted. */
async function matchSlice(tx: Db, search: Search, first: Walked, isShort: IsShort): Promise<readonly number[]> {
  const most = needed(search);
  if (first.certain >= most) return first.keys;
  if (isShort(most)) {
    const { isWhole, certain, keys } = await walk(tx, search, lengthFor(most, first));
    if (isWhole || certain >= most) return keys;
  }
  return (await matchByGrams(tx, search, 'all')).keys;
}
