import { recordChanges } from '../../../platform/changes/record-changes.ts';
import type { Db } from '../../../platform/database/connect.ts';

/** A match that has an alert. */
export interface Membership {
  readonly matchID: number;
  readonly alertID: number;
  readonly isClosed: boolean;
  /** Whether the alert has matches that hold, but for the given ones. */
  readonly hasOthers: boolean;
}

export async function findMemberships(tx: Db, matches: readonly number[]): Promise<Membership[]> {
  return tx<Membership[]>`
    select am.match_id as "matchID", am.alert_id as "alertID", a.state = 'closed' as "isClosed", exists (
      select 1 from alert_matches o join rule_matches m on m.key = o.match_id
      where o.alert_id = am.alert_id and not o.has_left and not m.is_withdrawn and m.key <> all(${matches as number[]}::bigint[]))
      as "hasOthers"
    from alert_matches am join alerts a on a.key = am.alert_id
    where am.match_id = any(${matches as number[]}::bigint[]) and not am.has_left`;
}

/** A place at which a match is to join an alert. `deviceID` 0: the rule counts across devices. */
export interface SoughtPlace {
  readonly ruleID: number;
  readonly deviceID: number;
  readonly startMs: number;
  readonly groupMs: number;
}

export interface NearMatch {
  readonly alertID: number;
  readonly ruleID: number;
  readonly deviceID: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly startMs: number;
}

/** The matches near these places that hold and whose alert is not closed, but for the matches themselves. */
export async function findNearMatches(
  tx: Db,
  places: readonly SoughtPlace[],
  matches: readonly number[],
): Promise<NearMatch[]> {
  return tx<NearMatch[]>`
    select distinct a.key as "alertID", a.rule_id as "ruleID", coalesce(a.device_id, 0) as "deviceID",
      a.first_ms as "firstMs", a.last_ms as "lastMs", m.start_ms as "startMs"
    from unnest(${places.map(({ ruleID }) => ruleID)}::bigint[], ${places.map(({ deviceID }) => deviceID)}::bigint[],
      ${places.map(({ startMs }) => startMs)}::bigint[], ${places.map(({ groupMs }) => groupMs)}::bigint[])
      as p (rule_id, device_id, start_ms, group_ms)
    join rule_matches m on m.rule_id = p.rule_id and m.start_ms between p.start_ms - p.group_ms and p.start_ms + p.group_ms
      and not m.is_withdrawn and m.key <> all(${matches as number[]}::bigint[])
    join alert_matches am on am.match_id = m.key and not am.has_left
    join alerts a on a.key = am.alert_id and a.state <> 'closed' and coalesce(a.device_id, 0) = p.device_id`;
}

export interface NewAlert {
  readonly ruleID: number;
  readonly deviceID: number | null;
  readonly startMs: number;
}

/** Returns their keys in the same order. */
export async function insertAlerts(tx: Db, alerts: readonly NewAlert[]): Promise<number[]> {
  if (alerts.length === 0) return [];
  const rows = await tx<{ key: number }[]>`
    with added as (
      insert into alerts (rule_id, rule_version, device_id, severity, first_ms, last_ms)
      select r.key, r.version, n.device_id, r.severity, n.start_ms, n.start_ms
      from unnest(${alerts.map(({ ruleID }) => ruleID)}::bigint[], ${alerts.map(({ deviceID }) => deviceID)}::bigint[],
        ${alerts.map(({ startMs }) => startMs)}::bigint[]) with ordinality as n (rule_id, device_id, start_ms, position)
      join rules r on r.key = n.rule_id order by n.position
      returning key, device_id),
    logged as (${recordChanges(tx, { kind: 'alert', change: 'created', rows: tx`added` })})
    select key from added order by key`;
  if (rows.length !== alerts.length) throw new Error('a rule of a new alert is gone');
  return rows.map(({ key }) => key);
}

export async function putMemberships(
  tx: Db,
  matches: readonly { readonly matchID: number; readonly alertID: number }[],
): Promise<void> {
  if (matches.length === 0) return;
  const keys = matches.map(({ matchID }) => matchID);
  const alerts = matches.map(({ alertID }) => alertID);
  await tx`
    update alert_matches am set has_left = true from unnest(${keys}::bigint[], ${alerts}::bigint[]) n (match_id, alert_id)
    where am.match_id = n.match_id and am.alert_id <> n.alert_id and not am.has_left`;
  await tx`
    insert into alert_matches (match_id, alert_id) select * from unnest(${keys}::bigint[], ${alerts}::bigint[])
    on conflict (match_id, alert_id) do update set has_left = false`;
}

/** The alerts, not closed, of these matches. */
export async function findAlertsOfMatches(tx: Db, matches: readonly number[]): Promise<number[]> {
  if (matches.length === 0) return [];
  const rows = await tx<{ key: number }[]>`
    select distinct a.key from alert_matches am join alerts a on a.key = am.alert_id and a.state <> 'closed'
    where am.match_id = any(${matches as number[]}::bigint[]) and not am.has_left`;
  return rows.map(({ key }) => key);
}

/**
 * Sets from when to when the matches of these alerts begin that hold, and closes the alerts, of those that were not
 * closed, none of whose matches holds, or all of whose states have ended. Returns those that it closed.
 */
export async function settleAlerts(tx: Db, alerts: readonly number[]): Promise<readonly number[]> {
  if (alerts.length === 0) return [];
  const rows = await tx<{ key: number }[]>`
    with present as (
      select k.key, s.first_ms, s.last_ms, case when s.first_ms is null then 'withdrawn' when s.has_ended then 'ended' end as reason
      from unnest(${alerts as number[]}::bigint[]) k (key)
      cross join lateral (
        select min(m.start_ms) as first_ms, max(m.start_ms) as last_ms,
          bool_and(m.audio_clip_id is null and m.end_ms is not null) as has_ended
        from alert_matches am join rule_matches m on m.key = am.match_id
        where am.alert_id = k.key and not am.has_left and not m.is_withdrawn) s),
    changed as (
      update alerts a set first_ms = coalesce(p.first_ms, a.first_ms), last_ms = coalesce(p.last_ms, a.last_ms),
        state = case when p.reason is not null then 'closed' else a.state end, close_reason = p.reason,
        state_by = case when p.reason is not null then null else a.state_by end,
        state_date = case when p.reason is not null then clock_timestamp() else a.state_date end
      from present p where a.key = p.key and a.state <> 'closed'
        and (p.reason is not null or (a.first_ms, a.last_ms) <> (p.first_ms, p.last_ms))
      returning a.key, a.device_id, a.state),
    logged as (${recordChanges(tx, { kind: 'alert', change: 'changed', rows: tx`(select key, device_id from changed order by key)` })})
    select key from changed where state = 'closed' order by key`;
  return rows.map(({ key }) => key);
}

/** Of new alerts, those about states that people had acknowledged on the overview of the version before. */
export async function acknowledgeKnown(tx: Db, alerts: readonly number[]): Promise<void> {
  await tx`
    with changed as (
      update alerts a set state = 'acknowledged', state_date = clock_timestamp()
      where a.key = any(${alerts as number[]}::bigint[]) and not exists (
        select 1 from alert_matches am join rule_matches m on m.key = am.match_id
          left join acknowledged_states s on s.rule_id = m.rule_id and s.device_id = m.device_id
            and s.acknowledged_date >= to_timestamp(m.start_ms / 1000.0)
        where am.alert_id = a.key and s.rule_id is null)
      returning a.key, a.device_id)
    ${recordChanges(tx, { kind: 'alert', change: 'changed', rows: tx`changed` })}`;
}
