import type { EscalationStep } from '@earshot/contract/rule-act';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { Role } from '@earshot/contract/user';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import type { Db } from '../../../platform/database/connect.ts';

export interface PlannedEscalation {
  readonly alertID: number;
  readonly actionNumber: number;
  readonly includesWords: boolean;
  readonly teamIDs: readonly number[];
}

/** For the teams that want it. */
export async function planEscalations(
  tx: Db,
  { alertID, actionNumber, includesWords, teamIDs }: PlannedEscalation,
): Promise<void> {
  await tx`
    insert into alert_escalations (alert_id, team_id, action_number, includes_words, due_date)
    select ${alertID}, t.key, ${actionNumber}::smallint, ${includesWords}, now() + make_interval(secs => t.escalate_seconds)
    from teams t where t.key = any(${teamIDs as number[]}::bigint[]) and t.escalate_seconds is not null
    order by t.key on conflict do nothing`;
}

/** Somebody dealt with the alerts. */
export async function endEscalations(tx: Db, alerts: readonly number[]): Promise<void> {
  await tx`delete from alert_escalations where alert_id = any(${alerts as number[]}::bigint[])`;
}

export interface EscalationKey {
  readonly alertID: number;
  readonly teamID: number;
}

export async function findDueKeys(db: Db, most: number): Promise<EscalationKey[]> {
  return db<EscalationKey[]>`
    select alert_id as "alertID", team_id as "teamID" from alert_escalations where due_date <= now()
    order by due_date limit ${most}`;
}

/** An escalation whose time has come, with what decides whether it goes on. */
export interface DueEscalation extends EscalationKey {
  readonly actionNumber: number;
  readonly includesWords: boolean;
  readonly step: EscalationStep;
  /** Since it was due. */
  readonly lateSeconds: number;
  /** Since people were told of the alert. */
  readonly waitedSeconds: number;
  readonly ruleID: number;
  readonly severity: RuleSeverity;
  /** Of the alert; null: the rule counts across devices. */
  readonly alertDeviceID: number | null;
  /** On which the rights of people depend; null: none of its matches holds. */
  readonly deviceID: number | null;
  readonly ownerID: number;
  readonly ownerRole: Role;
  readonly isOwnerDisabled: boolean;
  readonly isEnabled: boolean;
  readonly isMuted: boolean;
  /** Whether the team wants it still. */
  readonly isWanted: boolean;
  /** Whether the rule tells the team still. */
  readonly isNamed: boolean;
  readonly quietedBy: readonly number[];
  /** Who was told of the alert. */
  readonly told: readonly number[];
}

/** Undefined if another node did it, or it has ended. The alert is locked before. */
export async function findDueEscalation(
  tx: Db,
  { alertID, teamID }: EscalationKey,
): Promise<DueEscalation | undefined> {
  const [row] = await tx<DueEscalation[]>`
    select e.alert_id as "alertID", e.team_id as "teamID", e.action_number as "actionNumber",
      e.includes_words as "includesWords", e.step, extract(epoch from now() - e.due_date)::float8 as "lateSeconds",
      extract(epoch from now() - a.told_date)::float8 as "waitedSeconds", a.rule_id as "ruleID", a.severity,
      a.device_id as "alertDeviceID", coalesce(a.device_id, (
        select m.device_id from alert_matches am join rule_matches m on m.key = am.match_id
        where am.alert_id = a.key and not am.has_left and not m.is_withdrawn order by m.start_ms, m.key limit 1))
        as "deviceID",
      u.key as "ownerID", u.role as "ownerRole",
      u.disabled or (r.user_id is null and u.role <> 'admin') as "isOwnerDisabled", r.is_enabled as "isEnabled",
      coalesce(r.muted_until > now(), false) as "isMuted",
      w.escalate_seconds is not null as "isWanted",
      exists (select 1 from rule_teams t where t.rule_id = r.key and t.team_id = e.team_id) as "isNamed",
      coalesce(r.definition -> 'quietedBy', '[]') as "quietedBy",
      array(select t.user_id from alert_acts t where t.alert_id = a.key and t.user_id is not null and t.refusal is null)
        as told
    from alert_escalations e join alerts a on a.key = e.alert_id join rules r on r.key = a.rule_id
      join users u on u.key = coalesce(r.user_id, r.last_modified_by) join teams w on w.key = e.team_id
    where e.alert_id = ${alertID} and e.team_id = ${teamID} and e.due_date <= now() and a.state = 'open'`;
  return row;
}

/** The next step, as long after now as the team wants; without one the escalation has ended. */
export async function planNext(
  tx: Db,
  { alertID, teamID }: EscalationKey,
  step: EscalationStep | undefined,
): Promise<void> {
  if (step !== undefined)
    await tx`
      update alert_escalations e set step = ${step}, due_date = now() + make_interval(secs => t.escalate_seconds)
      from teams t where e.alert_id = ${alertID} and e.team_id = ${teamID} and t.key = e.team_id`;
  await tx`
    with gone as (
      delete from alert_escalations e
      where e.alert_id = ${alertID} and e.team_id = ${teamID} and e.due_date <= now()),
    changed as (select key, device_id from alerts where key = ${alertID})
    ${recordChanges(tx, { kind: 'alert', change: 'changed', rows: tx`changed` })}`;
}

export async function findAdmins(tx: Db): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from users where role = 'admin' and not disabled order by key`;
  return rows.map(({ key }) => key);
}
