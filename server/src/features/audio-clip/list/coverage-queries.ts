import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { devicesWithLengths } from '../../device/public.ts';

export interface CoverageRange {
  readonly deviceID: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly typeID: number | undefined;
  /** Spans with a shorter gap between them are merged. */
  readonly shortestGapMs: number;
  readonly mostClips: number;
  readonly mostSpans: number;
}

/** A stretch of time, `[from, to)`. */
export type SpanMs = readonly [fromMs: number, toMs: number];

export interface CoverageRow {
  readonly clipCount: number;
  readonly recordedMs: number;
  readonly availableMs: number;
  readonly recorded: readonly SpanMs[];
  readonly available: readonly SpanMs[];
}

/** The parts of the range that the clips cover, read along one index. */
function coveredSpans(db: Db, caller: Caller, range: CoverageRange): Fragment {
  const { fromMs, toMs, typeID } = range;
  const isRead = db`d.key = ${range.deviceID} and ${deviceRight(db, caller, 'read')}`;
  const start = db`${fromMs}::bigint - d.longest_clip_ms`;
  const within =
    typeID === undefined
      ? db`c.start_ms >= ${start} and c.start_ms < ${toMs}`
      : db`(c.audio_clip_type_id, c.start_ms) >= (${typeID}::bigint, ${start})
          and (c.audio_clip_type_id, c.start_ms) < (${typeID}::bigint, ${toMs}::bigint)`;
  return db`
    select greatest(c.start_ms, ${fromMs}) as from_ms, least(coalesce(c.end_ms, c.start_ms), ${toMs}) as to_ms,
      c.audio_clip_status = ${audioClipStatus.available} as is_here
    from ${devicesWithLengths(db, isRead)} cross join lateral (
      select c.start_ms, c.end_ms, c.audio_clip_status from audio_clips c
      where c.device_id = d.key and ${within} and (c.start_ms >= ${fromMs} or c.end_ms > ${fromMs})
      limit ${range.mostClips + 1}) c
    ${fromMs < toMs ? db`` : db`where false`}`;
}

/**
 * Computed in the database, so that a year of clips need not be transferred. Each span is extended by the shortest gap,
 * so that spans with a shorter gap between them overlap and are merged; the ends are shortened again afterwards.
 */
export async function findCoverage(db: Db, caller: Caller, range: CoverageRange): Promise<CoverageRow> {
  const moreMs = Math.max(range.shortestGapMs - 1, 0);
  const total = (spans: Fragment) => db`(select coalesce(sum(upper(r) - lower(r)), 0)::bigint from unnest(${spans}) r)`;
  const list = (spans: Fragment) => db`
    (select coalesce(json_agg(json_build_array(lower(r), upper(r) - ${moreMs}::bigint)), '[]')
    from (select * from unnest(${spans}) u (r) limit ${range.mostSpans + 1}) s)`;
  const [row] = await db<CoverageRow[]>`
    with clips as (${coveredSpans(db, caller, range)}),
    covered as (
      select count(*) as clip_count,
        range_agg(int8range(from_ms, to_ms)) filter (where to_ms > from_ms) as recorded,
        range_agg(int8range(from_ms, to_ms)) filter (where to_ms > from_ms and is_here) as available,
        range_agg(int8range(from_ms, to_ms + ${moreMs}::bigint)) filter (where to_ms > from_ms) as recorded_joined,
        range_agg(int8range(from_ms, to_ms + ${moreMs}::bigint)) filter (where to_ms > from_ms and is_here)
          as available_joined
      from clips)
    select clip_count as "clipCount", ${total(db`recorded`)} as "recordedMs", ${total(db`available`)} as "availableMs",
      ${list(db`recorded_joined`)} as recorded, ${list(db`available_joined`)} as available
    from covered`;
  if (!row) throw new Error('an aggregate returned no row');
  return row;
}
