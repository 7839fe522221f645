import type { RuleSeverity } from '@earshot/contract/rule';
import type { AlertSilence } from '@earshot/contract/alert';
import type { Role } from '@earshot/contract/user';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import type { GroupedMatch } from '../group/group.ts';

/** An alert that was not decided yet, with its rule. */
export interface UndecidedAlert {
  readonly key: number;
  readonly ruleID: number;
  readonly deviceID: number | null;
  readonly severity: RuleSeverity;
  readonly silence: AlertSilence | null;
  readonly ownerID: number;
  readonly ownerRole: Role;
  readonly isOwnerDisabled: boolean;
  readonly isMuted: boolean;
  readonly matches: readonly CausingMatch[];
}

/** A match of the alert that was judged now. */
export interface CausingMatch {
  /** Null: a state of the device. */
  readonly audioClipID: number | null;
  readonly deviceID: number;
  readonly startMs: number;
  /** Of a state that goes on: now. */
  readonly endMs: number;
  /** When the clip was announced or uploaded. */
  readonly arrivalMs: number;
  /** Whether it came after the rule's last change. */
  readonly isNew: boolean;
  /** Whether a rule asked for its upload. */
  readonly isAskedFor: boolean;
  /** Whether the state of the device has begun so often lately that nobody is told. */
  readonly isFlapping: boolean;
}

/** A state that began so often before on the same device, within this time, is flapping. */
const flappingBegins = 3;
const flappingMs = 3_600_000;

export async function findUndecided(tx: Db, matches: readonly GroupedMatch[]): Promise<UndecidedAlert[]> {
  if (matches.length === 0) return [];
  return tx<UndecidedAlert[]>`
    select a.key, a.rule_id as "ruleID", a.device_id as "deviceID", a.severity, a.silence, u.key as "ownerID",
      u.role as "ownerRole", u.disabled or (r.user_id is null and u.role <> 'admin') as "isOwnerDisabled", coalesce(r.muted_until > clock_timestamp(), false) as "isMuted",
      jsonb_agg(jsonb_build_object('audioClipID', n.clip_id, 'deviceID', n.device_id, 'startMs', n.start_ms,
        'endMs', coalesce(n.end_ms,
          case when n.clip_id is null then floor(extract(epoch from clock_timestamp()) * 1000) end, n.start_ms),
        'arrivalMs', coalesce(floor(extract(epoch from c.creation_date) * 1000), n.start_ms),
        'isNew', coalesce(c.creation_date >= r.change_date, true), 'isAskedFor', w.audio_clip_id is not null,
        'isFlapping', n.clip_id is null and ${flappingBegins} <= (
          select count(*) from rule_matches b where b.rule_id = r.key and b.device_id = n.device_id and b.audio_clip_id is null
            and b.start_ms < n.start_ms and b.start_ms >= n.start_ms - ${flappingMs}::bigint and not b.is_withdrawn))
        order by n.start_ms, n.clip_id, n.device_id) as matches
    from unnest(${matches.map(({ alertID }) => alertID)}::bigint[], ${matches.map(({ audioClipID }) => audioClipID)}::bigint[],
      ${matches.map(({ deviceID }) => deviceID)}::bigint[], ${matches.map(({ startMs }) => startMs)}::bigint[],
      ${matches.map(({ endMs }) => endMs)}::bigint[]) as n (alert_id, clip_id, device_id, start_ms, end_ms)
    join alerts a on a.key = n.alert_id and not a.is_decided
    join rules r on r.key = a.rule_id left join users u on u.key = coalesce(r.user_id, r.last_modified_by)
    left join audio_clips c on c.key = n.clip_id left join rule_uploads w on w.audio_clip_id = n.clip_id
    where n.clip_id is null or c.key is not null
    group by a.key, r.key, u.key order by a.key`;
}

/** Notes that people were told, or why nobody was. */
export async function decideAlert(
  tx: Db,
  alertID: number,
  { silence, isTold, isFinal = true }: { silence: AlertSilence | null; isTold: boolean; isFinal?: boolean },
): Promise<void> {
  await tx`
    with changed as (
      update alerts set silence = ${silence}, told_date = case when ${isTold} then clock_timestamp() end,
        is_decided = ${isFinal}
      where key = ${alertID} returning key, device_id)
    ${recordChanges(tx, { kind: 'alert', change: 'changed', rows: tx`changed` })}`;
}

/**
 * Whether an alert of one of these rules is not closed on the device, or on any if one of the rules counts across devices.
 * `deviceID` null: the rule that asks does. An alert of devices that fell silent is one on each of these.
 */
export async function isQuieted(tx: Db, quietedBy: readonly number[], deviceID: number | null): Promise<boolean> {
  if (quietedBy.length === 0) return false;
  const isAcrossDevices = tx`(select r.definition #> '{atLeast,acrossDevices}' = 'true' from rules r where r.key = q.key)`;
  // Each part along the index, so that alerts of other devices are not read.
  const ofOne = (device: Fragment): Fragment => tx`
    exists (select 1 from alerts a where a.rule_id = q.key and a.state <> 'closed' ${device})`;
  const rows = await tx`
    select 1 from unnest(${quietedBy as number[]}::bigint[]) q (key)
    where ${
      deviceID === null
        ? ofOne(tx``)
        : tx`${ofOne(tx`and a.device_id = ${deviceID}`)} or ${ofOne(tx`and a.device_id is null and (${isAcrossDevices} or exists (
            select 1 from alert_matches am join rule_matches m on m.key = am.match_id
            where am.alert_id = a.key and not am.has_left and not m.is_withdrawn and m.device_id = ${deviceID}))`)}`
    } limit 1`;
  return rows.length > 0;
}

/** The alerts of the rule that were acted on in the last hour, and whether it is known that there were too many. */
export async function countActedOn(tx: Db, ruleID: number): Promise<{ count: number; isToldOfLimit: boolean }> {
  const [row] = await tx<{ count: number; isToldOfLimit: boolean }[]>`
    select count(*)::int as count, exists (
      select 1 from alerts l where l.rule_id = ${ruleID} and l.silence = 'limit'
        and l.creation_date > clock_timestamp() - interval '1 hour') as "isToldOfLimit"
    from alerts a where a.rule_id = ${ruleID} and a.told_date > clock_timestamp() - interval '1 hour'`;
  return row ?? { count: 0, isToldOfLimit: false };
}
