import type { RuleWhen } from '@earshot/contract/rule-when';
import { deviceRight } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { isWatchedByStored } from '../../rule/public.ts';

/** A match of a report that holds, with the sound of its clip if it is here. */
export interface ReportedMatch {
  /** Null: a state of the device. */
  readonly audioClipID: number | null;
  readonly deviceID: number;
  readonly deviceName: string;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly storageName: string | null;
  readonly contentType: string | null;
  readonly fileSize: number | null;
}

/** The matches of the alert that hold and that the caller may read, in the order of their sound. */
export async function findReportedMatches(
  db: Db,
  caller: Caller,
  alertID: number,
  most: number,
): Promise<ReportedMatch[]> {
  return db<ReportedMatch[]>`
    select m.audio_clip_id as "audioClipID", d.key as "deviceID", d.device_name as "deviceName", m.start_ms as "startMs",
      m.end_ms as "endMs", f.storage_name as "storageName", f.content_type as "contentType", f.file_size as "fileSize"
    from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
      join alert_matches am on am.alert_id = a.key and not am.has_left
      join rule_matches m on m.key = am.match_id and not m.is_withdrawn
      join devices d on d.key = m.device_id
      left join audio_clips c on c.key = m.audio_clip_id left join files f on f.key = c.file_id and f.file_status = 1
    where a.key = ${alertID} and (m.audio_clip_id is null or c.key is not null) and ${deviceRight(db, caller, 'read')} and ${isWatchedByStored(db)}
    order by m.start_ms, m.key limit ${most}`;
}

export async function findWhenOfAlert(db: Db, alertID: number): Promise<RuleWhen | undefined> {
  const [row] = await db<{ when: RuleWhen }[]>`
    select r.definition -> 'when' as "when" from alerts a join rules r on r.key = a.rule_id where a.key = ${alertID}`;
  return row?.when;
}

/** The names of these people. */
export async function findPeopleNames(db: Db, keys: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = await db<{ key: number; name: string }[]>`
    select key, coalesce(nullif(display_name, ''), email) as name from users where key = any(${keys as number[]}::bigint[])`;
  return new Map(rows.map(({ key, name }) => [key, name]));
}
