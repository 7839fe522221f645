import type { Db, Fragment } from '../../platform/database/connect.ts';
import { contains } from '../caption-index/public.ts';
import type { Search } from './matching.ts';
import { isNarrowed } from './scope-queries.ts';

/** Plans each statement for its values, without sequential scans, and with enough memory for exact bitmaps. */
export const setPlannerOptions = (tx: Db) => tx`
  select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('work_mem', '64MB', true)`;

/** Whether the caption `s` is a match, if it is of the devices and its start in the range. */
export function isMatch(db: Db, { terms, others, scope }: Search): Fragment {
  const isOther = db`and not (${contains(db, db`s.text`, others?.terms ?? [])})
    and s.audio_clip_id <> all(${(others?.keys ?? []) as number[]}::bigint[])`;
  return db`${contains(db, db`s.text`, terms)} ${isNarrowed(db, scope)} ${others ? isOther : db``}`;
}
