import { mostCounted } from '@earshot/contract/caption-search';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { findByGrams } from './gram-queries.ts';
import type { Slice } from './ranking.ts';
import { needed } from './ranking.ts';
import type { Scope } from './scope.ts';
import type { Walked } from './walk-queries.ts';
import { chooseLanes, walk } from './walk-queries.ts';

/*
 * Two ways lead to a match: the index of grams, which finds what is rare, and a walk along time, on which what is common
 * is met soon. Which one is right for a search is known after a short walk, whatever the words and wherever they were
 * said; both give the same matches.
 *
 *   a short walk saw all there is                    done
 *   it met so many that 10,000 are met within reach  walk on
 *   otherwise                                        the index, up to 10,001 of its matches:
 *     no more than 10,000                            these are all, done
 *     more                                           the slice by a walk, or, where that is too long, all of them sorted
 */

export interface Matches {
  readonly total: number;
  readonly isComplete: boolean;
  readonly keys: readonly number[];
}

/** Captions that a first walk looks at: all together, or of some devices, which lie far apart. */
const firstLook = { one: 2_000, devices: 6_000, tags: 6_000 };
const longestWalk = 50_000;

/** In one transaction, whose settings keep every statement on the way that it is written for. */
export function findMatches(db: Pool, scope: Scope, phrases: readonly string[], slice: Slice): Promise<Matches> {
  return inTransaction(db, async (tx) => {
    const [, first] = await Promise.all([steer(tx), walk(tx, scope, phrases, slice, firstLook[chooseLanes(scope)])]);
    return conclude(first, slice) ?? (await findMore(tx, scope, phrases, slice, first));
  });
}

/** Planned for its values, never by reading a whole table, and without forgetting which rows of a page were meant. */
const steer = (tx: Db) => tx`
  select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('work_mem', '64MB', true)`;

function conclude({ found, isWhole, certain, keys }: Walked, slice: Slice): Matches | undefined {
  if (isWhole && found <= mostCounted) return { total: found, isComplete: true, keys };
  if (found > mostCounted && certain >= needed(slice)) return { total: mostCounted, isComplete: false, keys };
  return undefined;
}

async function findMore(
  tx: Db,
  scope: Scope,
  phrases: readonly string[],
  slice: Slice,
  first: Walked,
): Promise<Matches> {
  const share = first.found / first.looked;
  const walkFor = (matches: number) => walk(tx, scope, phrases, slice, Math.ceil((matches * 1.2) / share) + 1_000);
  const isWithinReach = (matches: number) => matches / share <= longestWalk;
  const many = Math.max(mostCounted + 1, needed(slice));
  if (isWithinReach(many)) {
    const second = conclude(await walkFor(many), slice);
    if (second) return second;
  }
  const { found, keys } = await findByGrams(tx, scope, phrases, slice, true);
  if (found <= mostCounted) return { total: found, isComplete: true, keys };
  const total = { total: mostCounted, isComplete: false };
  if (isWithinReach(needed(slice))) {
    const third = await walkFor(needed(slice));
    if (third.certain >= needed(slice)) return { ...total, keys: third.keys };
  }
  return { ...total, keys: (await findByGrams(tx, scope, phrases, slice, false)).keys };
}
