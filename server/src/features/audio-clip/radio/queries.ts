import type { RadioCall } from '@earshot/contract/radio';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import { hashOfSound } from '../recording/queries.ts';

/** What a recorder tells about a call. */
export interface NewCall {
  readonly talkgroup: number;
  readonly units: readonly { readonly unit: number; readonly label: string | null }[];
  /** The name that a radio sent about itself. */
  readonly talkerAlias: string | null;
  readonly frequencies: readonly number[];
  readonly isEmergency: boolean;
  readonly site: string | null;
  readonly patches: readonly number[];
  readonly isClockOff: boolean;
}

/** A call has a few radios; lists contain the names of all of them. */
const mostLabels = 100;

export async function insertCall(
  tx: Db,
  clip: { readonly audioClipID: number; readonly deviceID: number; readonly startMs: number },
  call: NewCall,
): Promise<void> {
  const units = call.units.map(({ unit }) => unit);
  const labelled = call.units.filter(({ label }) => label !== null).slice(0, mostLabels);
  // What a call has one of, or none, takes no space beside the column that has it.
  const labels = labelled.length > 0 ? JSON.stringify(labelled) : null;
  const frequencies = call.frequencies.length > 1 ? (call.frequencies as number[]) : null;
  await tx`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup, unit, units, unit_labels, talker_alias,
      frequency, frequencies, is_emergency, site, patches, is_clock_off)
    values (${clip.audioClipID}, ${clip.deviceID}, ${clip.startMs}, ${call.talkgroup}, ${units[0] ?? null},
      ${units}::bigint[], ${labels}::jsonb, ${call.talkerAlias}, ${call.frequencies[0] ?? null},
      ${frequencies}::bigint[], ${call.isEmergency}, ${call.site}, ${call.patches as number[]}::bigint[],
      ${call.isClockOff})`;
}

/** What makes two uploads one call: the device, the talkgroup, the start that the recorder gave, and the sound. */
export interface CallIdentity {
  readonly deviceID: number;
  readonly talkgroup: number;
  readonly startMs: number;
  readonly sha256: string;
}

/** A call near another one. */
export interface NearbyCall {
  readonly startMs: number;
  readonly isSame: boolean;
}

/**
 * The calls of the talkgroup that begin within a time after this one, and the same call wherever it begins now, also if a
 * person has replaced its sound. A call whose sound is not known counts as the same if it has the same start.
 */
export async function findCallsNear(
  db: Db,
  { deviceID, talkgroup, startMs, sha256 }: CallIdentity,
  withinMs: number,
): Promise<readonly NearbyCall[]> {
  return db<NearbyCall[]>`
    select c.start_ms as "startMs",
      coalesce(r.given_start_ms, c.start_ms) = ${startMs}
        and (coalesce(${hashOfSound(db)} = ${sha256}, true) or coalesce(r.first_sha256 = decode(${sha256}, 'hex'), false)) as "isSame"
    from (
      select c.key from audio_clips c
      where c.device_id = ${deviceID} and c.audio_clip_type_id = 0 and c.talkgroup = ${talkgroup}
        and c.start_ms >= ${startMs} and c.start_ms < ${startMs + withinMs}
      union
      select g.audio_clip_id from clip_recordings g where g.device_id = ${deviceID} and g.given_start_ms = ${startMs}) n
    join audio_clips c on c.key = n.key and c.talkgroup = ${talkgroup}
    left join clip_recordings r on r.audio_clip_id = c.key
    left join files f on f.key = c.file_id and f.file_status = 1`;
}

/** A call as the contract shows it, over the aliases r (radio_calls) and g (talkgroups). */
const callFields = (db: Db): Fragment => db`
  'audioClipID', r.audio_clip_id, 'deviceID', r.device_id, 'talkgroup', r.talkgroup, 'talkgroupLabel', g.label,
  'talkgroupName', g.name, 'talkgroupGroup', g.group_name,
  'talkgroupGroups', case when g.other_groups is not null then g.group_name || g.other_groups end,
  'talkgroupTag', g.tag, 'unit', r.unit, 'units', r.units, 'unitLabels', r.unit_labels, 'talkerAlias', r.talker_alias,
  'frequency', r.frequency, 'frequencies', r.frequencies, 'isEmergency', r.is_emergency, 'site', r.site,
  'patches', r.patches,
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
