import type { RuleMatch, RuleMatchState } from '@earshot/contract/rule-match';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { deviceReaders, deviceRight } from '../../../access.ts';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { PlacedRow } from '../../../platform/page-cursor.ts';

/** Whether a list of `where` in the rule `r` is empty, or has one of the keys. */
const isNamedIn = (db: Db, list: 'deviceIDs' | 'collectionIDs', keys: Fragment): Fragment => db`
  (coalesce(jsonb_array_length(r.definition -> 'where' -> ${list}::text), 0) = 0 or exists (
    select 1 from jsonb_array_elements_text(r.definition -> 'where' -> ${list}::text) n (key)
    where n.key::bigint in (${keys})))`;

/** Whether the rule `r` of the person `u` looks at the device `d` now, as `isWatched` says of a rule that is not stored. */
const isWatchedByStored = (db: Db): Fragment => db`
  (u.role = 'admin' or u.key = any(${deviceReaders(db)}))
  and ${isNamedIn(db, 'deviceIDs', db`select d.key union all select g.device_id from merged_devices g where g.into_id = d.key`)}
  and ${isNamedIn(db, 'collectionIDs', db`select w.collection_id from collection_items w where w.device_id = d.key`)}`;

export interface MatchFilter {
  readonly ruleID: number | undefined;
  readonly deviceID: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly state: RuleMatchState | undefined;
  readonly after: PlacedRow | undefined;
  readonly ascending: boolean;
  readonly count: number;
}

export type FoundRuleMatch = Omit<RuleMatch, 'startTime' | 'startTimeMs'> &
  PlacedRow & { readonly audioClipID: number; readonly when: RuleWhen };

/** The matches that the caller may see, along the index of the rule, of the device, or of each of the caller's rules. */
export async function selectMatches(db: Db, caller: Caller, filter: MatchFilter): Promise<FoundRuleMatch[]> {
  const { ruleID, deviceID, fromMs, toMs, state, after, ascending, count } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  const place = after && db`(${after.time}::bigint, ${after.key}::bigint)`;
  // For each rule the first ones along its index.
  return db<FoundRuleMatch[]>`
    select m.key, r.key as "ruleID", r.rule_name as "ruleName", m.rule_version as "ruleVersion",
      m.audio_clip_id as "audioClipID", m.device_id as "deviceID", m.device_name as "deviceName", m.start_ms as time,
      case when m.is_withdrawn then 'withdrawn' else 'current' end as state, m.judged_date as "judgedDate",
      m.withdrawn_date as "withdrawnDate", (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('action', t.action, 'tagName', nullif(t.tag_name, ''),
          'actDate', to_char(t.act_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'refusal', t.refusal))
          order by t.key), '[]')
        from rule_acts t where t.match_id = m.key) as acts, r.definition -> 'when' as "when"
    from rules r join users u on u.key = r.user_id cross join lateral (
      select m.*, d.device_name from rule_matches m join devices d on d.key = m.device_id
      where m.rule_id = r.key and ${deviceRight(db, caller, 'read')} and ${isWatchedByStored(db)}
        ${deviceID === undefined ? db`` : db`and m.device_id = ${deviceID}`}
        ${fromMs === undefined ? db`` : db`and (m.start_ms >= ${fromMs}::bigint or m.end_ms > ${fromMs}::bigint)`}
        ${toMs === undefined ? db`` : db`and m.start_ms < ${toMs}::bigint`}
        ${state === undefined ? db`` : db`and m.is_withdrawn = ${state === 'withdrawn'}`}
        ${place ? (ascending ? db`and (m.start_ms, m.key) > ${place}` : db`and (m.start_ms, m.key) < ${place}`) : db``}
      order by m.start_ms ${direction}, m.key ${direction} limit ${count}) m
    where ${caller.role === 'admin' ? db`true` : db`r.user_id = ${caller.userID}`}
      ${ruleID === undefined ? db`` : db`and r.key = ${ruleID}`}
    order by m.start_ms ${direction}, m.key ${direction} limit ${count}`;
}

/** Removes matches that were judged before so many days, and returns their number. */
export async function removeOldMatches(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from rule_matches where key = any(array(
      select key from rule_matches where judged_date < now() - make_interval(days => ${days})
      order by judged_date limit ${most} for update skip locked)) returning 1`;
  return rows.length;
}
