import type { AlertState } from '@earshot/contract/alert';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { deviceRight } from '../../../access.ts';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { isWatchedByStored } from '../../rule/public.ts';

/** What a message says of an alert: all of it only to those who may know it now. */
export interface AlertContent {
  readonly key: number;
  readonly state: AlertState;
  readonly isWithdrawn: boolean;
  readonly hasEnded: boolean;
  readonly startMs: number;
  readonly when: RuleWhen;
  /** Of its first match of a device that may be named to the recipient. */
  readonly audioClipID: number | null;
  readonly deviceID: number | null;
  readonly deviceName: string | null;
  /** Beside that one, the devices of a state that may be named to the recipient. */
  readonly otherDevices: number | null;
}

/** `isOutside`: only devices that may be named outside of the platform. */
export async function findAlertContent(
  db: Db,
  recipient: Caller,
  alertID: number,
  isOutside: boolean,
): Promise<AlertContent | undefined> {
  const [row] = await db<AlertContent[]>`
    select a.key, a.state, coalesce(a.close_reason = 'withdrawn', false) as "isWithdrawn",
      coalesce(a.close_reason = 'ended', false) as "hasEnded", a.first_ms as "startMs",
      r.definition -> 'when' as "when", f.*
    from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
    left join lateral (
      select m.audio_clip_id as "audioClipID", d.key as "deviceID", d.device_name as "deviceName",
        case when m.audio_clip_id is null then count(*) over () - 1 end::int as "otherDevices"
      from alert_matches am join rule_matches m on m.key = am.match_id join devices d on d.key = m.device_id
      where am.alert_id = a.key and ${mayBeTold(db, recipient, isOutside)}
      order by m.start_ms, m.key limit 1) f on true
    where a.key = ${alertID}`;
  return row;
}

/** Whether the match `m` of the alert holds, and is of a device `d` that the recipient may know now. */
const mayBeTold = (db: Db, recipient: Caller, isOutside: boolean): Fragment => db`
  not m.is_withdrawn and not am.has_left and ${deviceRight(db, recipient, 'read')} and ${isWatchedByStored(db)}
  ${isOutside ? db`and exists (select 1 from disclosed_devices x where x.device_id = d.key)` : db``}`;

export interface SoundOfAlert {
  readonly audioClipID: number;
  /** Null: the sound is not here. */
  readonly storageName: string | null;
  readonly contentType: string | null;
  readonly fileSize: number | null;
}

/** The clips of its first matches. */
export async function findSoundsOfAlert(
  db: Db,
  recipient: Caller,
  alertID: number,
  { isOutside, most }: { readonly isOutside: boolean; readonly most: number },
): Promise<SoundOfAlert[]> {
  return db<SoundOfAlert[]>`
    select c.key as "audioClipID", f.storage_name as "storageName", f.content_type as "contentType",
      f.file_size as "fileSize"
    from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
      join alert_matches am on am.alert_id = a.key join rule_matches m on m.key = am.match_id
      join devices d on d.key = m.device_id join audio_clips c on c.key = m.audio_clip_id
      left join files f on f.key = c.file_id and f.file_status = 1
    where a.key = ${alertID} and ${mayBeTold(db, recipient, isOutside)}
    order by m.start_ms, m.key limit ${most}`;
}

export async function findRuleName(db: Db, ruleID: number): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`select rule_name as name from rules where key = ${ruleID}`;
  return row?.name;
}
