import type { CaptionSearch } from '@earshot/contract/caption-search';
import { largestInteger } from '@earshot/contract/values';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { devicesWithLengths } from '../device/public.ts';
import { readList, readRange } from '../audio-clip/public.ts';

/** Which captions a search covers. */
export interface Scope {
  /** Undefined: all devices. */
  readonly devices: readonly number[] | undefined;
  readonly tagIDs: readonly number[] | undefined;
  readonly talkgroup: number | undefined;
  /** No clip that begins before this time extends into the range. */
  readonly reachMs: number;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The scope of a search: the requested devices that the caller may read. Undefined if no caption can match. */
export async function resolveScope(db: Db, caller: Caller, given: CaptionSearch): Promise<Scope | undefined> {
  const { fromMs = 0, toMs = largestInteger } = readRange(given);
  const requested = readList(given.deviceIDList);
  const tagIDs = readList(given.tagIDList);
  const { talkgroup } = given;
  if (fromMs === toMs) return undefined;
  const isEvery = caller.role === 'admin' && caller.deviceID === undefined && !requested;
  if (isEvery && fromMs === 0 && !tagIDs) return { devices: undefined, tagIDs, talkgroup, reachMs: 0, fromMs, toMs };
  const among = requested ? db`d.key = any(${requested}::bigint[]) and` : db``;
  const [row] = await db<{ devices: number[] | null; longestMs: number }[]>`
    select array_agg(d.key) as devices, max(d.longest_clip_ms) as "longestMs"
    from ${devicesWithLengths(db, db`${among} ${deviceRight(db, caller, 'read')}`)}`;
  if (!row?.devices) return undefined;
  // Tags are looked up per device, so the devices must be listed.
  const devices = isEvery && !tagIDs ? undefined : row.devices;
  return { devices, tagIDs, talkgroup, reachMs: Math.max(0, fromMs - row.longestMs), fromMs, toMs };
}

/** Whether a clip that begins at this time may be in the range of time. */
export const inRange = (db: Db, { reachMs, toMs }: Scope, start: Fragment): Fragment =>
  db`${start} >= ${reachMs}::bigint and ${start} < ${toMs}::bigint`;

/** Whether the caption `s` is of the devices searched. */
export const ofDevices = (db: Db, { devices }: Scope): Fragment =>
  devices ? db`s.device_id = any(${devices as number[]}::bigint[])` : db`true`;

/** Whether the caption `s` is in scope. */
export const inScope = (db: Db, scope: Scope): Fragment =>
  db`${inRange(db, scope, db`s.start_ms`)} and ${ofDevices(db, scope)} ${isNarrowed(db, scope)}`;

/** The conditions on the caption `s` besides its devices and its start. */
export function isNarrowed(db: Db, { tagIDs, talkgroup, fromMs }: Scope): Fragment {
  // Scalar subqueries: looked up row by row, they cannot become a join with the whole table.
  const reaches = db`and (s.start_ms >= ${fromMs}::bigint
    or (select o.end_ms from audio_clips o where o.key = s.audio_clip_id) > ${fromMs}::bigint)`;
  const isTagged = tagIDs
    ? db`and (select true from audio_clip_tags t
        where t.audio_clip_id = s.audio_clip_id and t.tag_id = any(${tagIDs as number[]}::bigint[]) limit 1)`
    : db``;
  const isCalled =
    talkgroup === undefined
      ? db``
      : db`and (select r.talkgroup from radio_calls r where r.audio_clip_id = s.audio_clip_id) = ${talkgroup}::bigint`;
  return db`${fromMs > 0 ? reaches : db``} ${isTagged} ${isCalled}`;
}
