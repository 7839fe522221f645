import type { RadioCall } from '@earshot/contract/radio';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../access/public.ts';

/** What a recorder tells about a call. */
export interface NewCall {
  readonly talkgroup: number;
  readonly units: readonly number[];
  readonly frequency: number | null;
  readonly isEmergency: boolean;
  readonly site: string | null;
  readonly patches: readonly number[];
  readonly isClockOff: boolean;
}

export async function insertCall(
  tx: Db,
  clip: { readonly audioClipID: number; readonly deviceID: number; readonly startMs: number },
  call: NewCall,
): Promise<void> {
  await tx`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup, unit, units, frequency, is_emergency, site,
      patches, is_clock_off)
    values (${clip.audioClipID}, ${clip.deviceID}, ${clip.startMs}, ${call.talkgroup}, ${call.units[0] ?? null},
      ${call.units as number[]}::bigint[], ${call.frequency}, ${call.isEmergency}, ${call.site},
      ${call.patches as number[]}::bigint[], ${call.isClockOff})`;
}

/** A call as the contract shows it, over the aliases r (radio_calls) and g (talkgroups). */
const callFields = (db: Db): Fragment => db`
  'audioClipID', r.audio_clip_id, 'deviceID', r.device_id, 'talkgroup', r.talkgroup, 'talkgroupLabel', g.label,
  'talkgroupName', g.name, 'talkgroupGroup', g.group_name, 'talkgroupTag', g.tag, 'unit', r.unit, 'units', r.units,
  'frequency', r.frequency, 'isEmergency', r.is_emergency, 'site', r.site, 'patches', r.patches,
  'arrivalDate', to_char(r.arrival_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'isClockOff', r.is_clock_off`;

/** The call of the clip `c` as JSON, or null. */
export const callOfClip = (db: Db): Fragment => db`(
  select json_strip_nulls(json_build_object(${callFields(db)}))
  from radio_calls r left join talkgroups g on g.device_id = r.device_id and g.talkgroup = r.talkgroup
  where r.audio_clip_id = c.key)`;

export async function findCall(db: Db, caller: Caller, clipID: number): Promise<RadioCall | undefined> {
  const [row] = await db<{ call: RadioCall | null }[]>`
    select ${callOfClip(db)} as call from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(db, caller, 'read')}`;
  return row?.call ?? undefined;
}

/** Which radio calls a list contains. */
export interface CallFilter {
  readonly talkgroup?: number | undefined;
  readonly unit?: number | undefined;
  readonly isEmergency?: boolean | undefined;
}

/** The conditions on a row of radio_calls `r`. */
export function matchesCall(db: Db, { talkgroup, unit, isEmergency }: CallFilter): Fragment {
  return db`true ${talkgroup === undefined ? db`` : db`and r.talkgroup = ${talkgroup}`}
    ${unit === undefined ? db`` : db`and r.unit = ${unit}`}
    ${isEmergency === undefined ? db`` : isEmergency ? db`and r.is_emergency` : db`and not r.is_emergency`}`;
}
