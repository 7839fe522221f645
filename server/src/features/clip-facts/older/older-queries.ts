import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../../platform/database/connect.ts';

export interface StoredOlder {
  readonly isEnabled: boolean | null;
  readonly nextKey: number | null;
  readonly measuredCount: number;
  readonly failedCount: number;
  readonly endedDate: string | null;
  readonly leftCount: number;
  readonly leftBytes: number;
}

/** Clips whose sound is here and was not measured, or could not be. */
const isLeft = (db: Db): Fragment => db`
  c.audio_clip_status = ${audioClipStatus.available} and c.file_id is not null
  and not exists (select 1 from clip_facts m where m.audio_clip_id = c.key and m.fault is null)
  and not exists (select 1 from clips_to_measure n where n.audio_clip_id = c.key)`;

/** Counts what is left, which reads all clips that are left to look at. */
export async function findOlder(db: Db): Promise<StoredOlder> {
  const [row] = await db<StoredOlder[]>`
    select o.is_enabled as "isEnabled", o.next_key as "nextKey", o.measured_count as "measuredCount",
      o.failed_count as "failedCount", o.ended_date as "endedDate", remaining.count as "leftCount",
      remaining.bytes as "leftBytes"
    from older_clips_to_measure o cross join lateral (
      select count(*) as count, coalesce(sum(f.file_size), 0)::bigint as bytes
      from audio_clips c join files f on f.key = c.file_id
      where o.ended_date is null and (o.next_key is null or c.key < o.next_key) and ${isLeft(db)}) remaining`;
  if (!row) throw new Error('older_clips_to_measure has no row');
  return row;
}

/** Switches the work on or off. Switched on after its end, it begins with the newest clip again. */
export async function enableOlder(db: Db, isEnabled: boolean): Promise<void> {
  await db`
    update older_clips_to_measure set is_enabled = ${isEnabled},
      next_key = case when ended_date is null or not ${isEnabled} then next_key end,
      measured_count = case when ended_date is null or not ${isEnabled} then measured_count else 0 end,
      failed_count = case when ended_date is null or not ${isEnabled} then failed_count else 0 end,
      ended_date = case when ${isEnabled} then null else ended_date end`;
}

interface Held {
  readonly node: string;
  /** Whether the work is done if nobody has chosen. */
  readonly isUsual: boolean;
  readonly leaseSeconds: number;
}

/** Takes or keeps the work for this node. Undefined: it is off, has ended, or another node does it. */
export async function holdOlder(db: Db, { node, isUsual, leaseSeconds }: Held): Promise<number | undefined> {
  const [row] = await db<{ nextKey: number }[]>`
    update older_clips_to_measure set node = ${node}::uuid,
      held_until = now() + make_interval(secs => ${leaseSeconds}),
      next_key = coalesce(next_key, (select coalesce(max(key), 0) + 1 from audio_clips))
    where coalesce(is_enabled, ${isUsual}::boolean) and ended_date is null
      and (node = ${node}::uuid or held_until is null or held_until < now())
    returning next_key as "nextKey"`;
  return row?.nextKey;
}

interface OlderPage {
  readonly keys: readonly number[];
  /** The last key that was looked at; undefined: there are no more. */
  readonly lastKey: number | undefined;
}

/** Looks at the next clips, newest first, and returns those that are left. */
export async function findOlderPage(db: Db, nextKey: number, most: number): Promise<OlderPage> {
  const rows = await db<{ key: number; isLeft: boolean }[]>`
    select c.key, ${isLeft(db)} as "isLeft" from (
      select * from audio_clips c where c.key < ${nextKey} order by c.key desc limit ${most}) c
    order by c.key desc`;
  return { keys: rows.filter((row) => row.isLeft).map(({ key }) => key), lastKey: rows.at(-1)?.key };
}

interface Passed {
  readonly node: string;
  readonly nextKey: number;
  readonly outcome: 'measured' | 'failed' | 'looked' | 'ended';
}

/** Notes how far the work is, if this node still does it. */
export async function passOlder(db: Db, { node, nextKey, outcome }: Passed): Promise<void> {
  await db`
    update older_clips_to_measure set next_key = ${nextKey},
      measured_count = measured_count + ${outcome === 'measured' ? 1 : 0},
      failed_count = failed_count + ${outcome === 'failed' ? 1 : 0},
      ended_date = ${outcome === 'ended' ? db`now()` : db`ended_date`}
    where node = ${node}::uuid and next_key > ${outcome === 'ended' ? 0 : nextKey}`;
}
