import type { AlertNote, AlertState, RuleAlert } from '@earshot/contract/alert';
import type { LiveAlert, LiveMatch } from '@earshot/contract/live-alert';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { RuleAct } from '@earshot/contract/rule-act';
import { deviceRight } from '../../access.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { PlacedRow } from '../../platform/page-cursor.ts';
import { alertRight, isOfCaller, isWatchedByStored } from '../rule/public.ts';

/** Of one alert, its matches are counted up to this number. */
const mostCounted = 10_000;

export type FoundAlert = Omit<RuleAlert, 'startTime' | 'startTimeMs' | 'lastStartTime' | 'lastStartTimeMs'> &
  PlacedRow & { readonly lastMs: number };

/** Of the alert `a` of the rule `r` of the person `u`, with what the caller may read of its matches. */
const alertColumns = (db: Db): Fragment => db`
  a.key, r.key as "ruleID", r.rule_name as "ruleName", a.rule_version as "ruleVersion", r.user_id as "userID", a.severity,
  a.device_id as "deviceID", a.first_ms as time, a.last_ms as "lastMs", a.state, a.assignee_id as "assigneeID",
  a.close_reason as "closeReason", a.silence, a.told_date as "toldDate", a.state_date as "stateDate",
  a.state_by as "stateBy", a.creation_date as "creationDate", v."deviceIDs", v."deviceNames", v."matchCount"`;

const visibleMatches = (db: Db, caller: Caller): Fragment => db`
  lateral (
    select array_agg(w.key order by w.key) as "deviceIDs", array_agg(w.device_name order by w.key) as "deviceNames",
      sum(w.match_count)::int as "matchCount"
    from (
      select d.key, d.device_name, n.match_count from (
        select m.device_id, count(*) filter (where not m.is_withdrawn and not m.has_left) as match_count
        from (
          select m.device_id, m.is_withdrawn, am.has_left
          from alert_matches am join rule_matches m on m.key = am.match_id where am.alert_id = a.key limit ${mostCounted}) m
        group by m.device_id) n
      join devices d on d.key = n.device_id
      where ${deviceRight(db, caller, 'read')} and ${isWatchedByStored(db)}) w) v`;

export interface AlertFilter {
  readonly ruleID: number | undefined;
  readonly deviceID: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly state: AlertState | undefined;
  readonly severity: RuleSeverity | undefined;
  readonly assigneeID: number | undefined;
  readonly after: PlacedRow | undefined;
  readonly ascending: boolean;
  readonly count: number;
}

/** The alerts that the caller may see, along the index of each rule of the caller. */
export async function selectAlerts(db: Db, caller: Caller, filter: AlertFilter): Promise<FoundAlert[]> {
  const { ruleID, deviceID, fromMs, toMs, state, severity, assigneeID, after, ascending, count } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  const place = after && db`(${after.time}::bigint, ${after.key}::bigint)`;
  const ofDevice = db`
    and (a.device_id = ${deviceID ?? 0} or (a.device_id is null and exists (
      select 1 from alert_matches x join rule_matches y on y.key = x.match_id
      where x.alert_id = a.key and y.device_id = ${deviceID ?? 0})))`;
  return db<FoundAlert[]>`
    select ${alertColumns(db)}
    from rules r left join users u on u.key = r.user_id cross join lateral (
      select a.* from alerts a
      where a.rule_id = r.key and ${alertRight(db, caller)}
        ${deviceID === undefined ? db`` : ofDevice}
        ${fromMs === undefined ? db`` : db`and a.last_ms >= ${fromMs}::bigint`}
        ${toMs === undefined ? db`` : db`and a.first_ms < ${toMs}::bigint`}
        ${state === undefined ? db`` : db`and a.state = ${state}`}
        ${severity === undefined ? db`` : db`and a.severity = ${severity}`}
        ${assigneeID === undefined ? db`` : db`and a.assignee_id = ${assigneeID}`}
        ${place ? (ascending ? db`and (a.first_ms, a.key) > ${place}` : db`and (a.first_ms, a.key) < ${place}`) : db``}
      order by a.first_ms ${direction}, a.key ${direction} limit ${count}) a
    cross join ${visibleMatches(db, caller)}
    where ${isOfCaller(db, caller)} ${ruleID === undefined ? db`` : db`and r.key = ${ruleID}`}
    order by a.first_ms ${direction}, a.key ${direction} limit ${count}`;
}

export async function findAlert(db: Db, caller: Caller, alertID: number): Promise<FoundAlert | undefined> {
  const [row] = await db<FoundAlert[]>`
    select ${alertColumns(db)}
    from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
    cross join ${visibleMatches(db, caller)}
    where a.key = ${alertID} and ${alertRight(db, caller)}`;
  return row;
}

/** What was done, of devices that the caller may read. */
export async function listActs(db: Db, caller: Caller, alertID: number): Promise<RuleAct[]> {
  return db<RuleAct[]>`
    select t.action, t.user_id as "userID", t.team_id as "teamID", t.channel_id as "channelID", t.device_id as "deviceID",
      t.escalation, t.event_preset_id as "eventPresetID", t.event_id as "eventID", t.act_date as "actDate", t.refusal
    from alert_acts t left join devices d on d.key = t.device_id
    where t.alert_id = ${alertID} and (t.device_id is null or ${deviceRight(db, caller, 'read')}) order by t.key`;
}

export async function listNotes(db: Db, alertID: number): Promise<AlertNote[]> {
  return db<AlertNote[]>`
    select key, user_id as "userID", note, creation_date as "creationDate" from alert_notes
    where alert_id = ${alertID} order by key`;
}

/** For the live stream: the same for everybody. */
export async function findAlertsByKey(db: Db, keys: readonly number[]): Promise<LiveAlert[]> {
  return db<LiveAlert[]>`
    select a.key, a.rule_id as "ruleID", a.device_id as "deviceID", a.first_ms / 1000 as "startTime",
      (a.first_ms % 1000)::int as "startTimeMs", a.severity, a.state, a.assignee_id as "assigneeID",
      a.told_date as "toldDate", a.creation_date as "creationDate"
    from alerts a where a.key = any(${keys as number[]}::bigint[])`;
}

/** Those of the alerts that the caller may see. */
export async function findVisibleAlerts(db: Db, caller: Caller, keys: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select a.key from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
    where a.key = any(${keys as number[]}::bigint[]) and ${alertRight(db, caller)}`;
  return new Set(rows.map(({ key }) => key));
}

export async function findMatchesByKey(db: Db, keys: readonly number[]): Promise<LiveMatch[]> {
  return db<LiveMatch[]>`
    select m.key, m.rule_id as "ruleID", m.device_id as "deviceID", m.start_ms / 1000 as "startTime",
      (m.start_ms % 1000)::int as "startTimeMs", m.audio_clip_id as "audioClipID", am.alert_id as "alertID",
      case when m.is_withdrawn then 'withdrawn' else 'current' end as state
    from rule_matches m left join alert_matches am on am.match_id = m.key and not am.has_left
    where m.key = any(${keys as number[]}::bigint[])`;
}

export async function findVisibleMatches(
  db: Db,
  caller: Caller,
  keys: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await db<{ key: number }[]>`
    select m.key from rule_matches m join rules r on r.key = m.rule_id left join users u on u.key = r.user_id
      join devices d on d.key = m.device_id
    where m.key = any(${keys as number[]}::bigint[]) and ${isOfCaller(db, caller)} and ${deviceRight(db, caller, 'read')}
      and ${isWatchedByStored(db)}`;
  return new Set(rows.map(({ key }) => key));
}
