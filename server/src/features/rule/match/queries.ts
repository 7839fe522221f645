import type { RuleMatch, RuleMatchState } from '@earshot/contract/rule-match';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { deviceRight } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { PlacedRow } from '../../../platform/page-cursor.ts';
import { isOfCaller, isWatchedByStored } from './right-queries.ts';

export interface MatchFilter {
  readonly ruleID: number | undefined;
  readonly alertID: number | undefined;
  readonly deviceID: number | undefined;
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly state: RuleMatchState | undefined;
  readonly after: PlacedRow | undefined;
  readonly ascending: boolean;
  readonly count: number;
}

export type FoundRuleMatch = Omit<RuleMatch, 'startTime' | 'startTimeMs' | 'endTime' | 'endTimeMs'> &
  PlacedRow & { readonly endMs: number | null; readonly when: RuleWhen };

/** The matches that the caller may see, along the index of the rule, of the device, or of each of the caller's rules. */
export async function selectMatches(db: Db, caller: Caller, filter: MatchFilter): Promise<FoundRuleMatch[]> {
  const { ruleID, alertID, deviceID, fromMs, toMs, state, after, ascending, count } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  // The people whom a rule tells see the matches of its alerts, and no others.
  const isOf =
    alertID === undefined
      ? caller.role === 'admin'
        ? db`true`
        : db`r.user_id = ${caller.userID}`
      : db`r.key = (select a.rule_id from alerts a where a.key = ${alertID}) and ${isOfCaller(db, caller)}`;
  const place = after && db`(${after.time}::bigint, ${after.key}::bigint)`;
  // For each rule the first ones along its index.
  return db<FoundRuleMatch[]>`
    select m.key, r.key as "ruleID", r.rule_name as "ruleName", m.rule_version as "ruleVersion",
      m.audio_clip_id as "audioClipID", m.device_id as "deviceID", m.device_name as "deviceName", m.start_ms as time,
      case when m.audio_clip_id is null then m.end_ms end as "endMs",
      case when m.is_withdrawn then 'withdrawn' else 'current' end as state, m.judged_date as "judgedDate",
      m.alert_id as "alertID", m.told_date as "toldDate",
      (select c.creation_date from audio_clips c where c.key = m.audio_clip_id) as "arrivedDate",
      (select v.creation_date from captions p join caption_versions v
        on v.audio_clip_id = p.audio_clip_id and v.version = p.version
        where p.audio_clip_id = m.audio_clip_id) as "transcribedDate",
      m.withdrawn_date as "withdrawnDate", (
        select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('action', t.action, 'tagName', nullif(t.tag_name, ''),
          'userID', t.user_id, 'teamID', t.team_id, 'channelID', t.channel_id, 'escalation', t.escalation,
          'deviceID', t.device_id, 'eventPresetID', t.event_preset_id, 'eventID', t.event_id,
          'actDate', to_char(t.act_date at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'refusal', t.refusal))
          order by t.is_of_alert, t.key), '[]')
        from (
          select false as is_of_alert, key, action, tag_name, null::bigint as user_id, null::bigint as team_id,
            null::bigint as channel_id, null::text as escalation, null::bigint as device_id, null::bigint as event_preset_id, null::bigint as event_id,
            act_date, refusal
          from rule_acts where match_id = m.key
          union all
          select true, key, action, null, user_id, team_id, channel_id, escalation, device_id, event_preset_id, event_id,
            act_date, refusal
          from alert_acts where alert_id = m.alert_id) t) as acts, r.definition -> 'when' as "when"
    from rules r left join users u on u.key = r.user_id cross join lateral (
      select m.*, d.device_name, am.alert_id, a.told_date from rule_matches m join devices d on d.key = m.device_id
        left join alert_matches am on am.match_id = m.key and ${alertID === undefined ? db`not am.has_left` : db`am.alert_id = ${alertID}`}
        left join alerts a on a.key = am.alert_id
      where m.rule_id = r.key and ${deviceRight(db, caller, 'read')} and ${isWatchedByStored(db)}
        ${alertID === undefined ? db`` : db`and am.alert_id = ${alertID}`}
        ${deviceID === undefined ? db`` : db`and m.device_id = ${deviceID}`}
        ${
          fromMs === undefined
            ? db``
            : db`and (m.start_ms >= ${fromMs}::bigint or m.end_ms > ${fromMs}::bigint
          or (m.audio_clip_id is null and m.end_ms is null))`
        }
        ${toMs === undefined ? db`` : db`and m.start_ms < ${toMs}::bigint`}
        ${state === undefined ? db`` : db`and m.is_withdrawn = ${state === 'withdrawn'}`}
        ${place ? (ascending ? db`and (m.start_ms, m.key) > ${place}` : db`and (m.start_ms, m.key) < ${place}`) : db``}
      order by m.start_ms ${direction}, m.key ${direction} limit ${count}) m
    where ${isOf}
      ${ruleID === undefined ? db`` : db`and r.key = ${ruleID}`}
    order by m.start_ms ${direction}, m.key ${direction} limit ${count}`;
}

/** Removes matches that were judged before so many days, and returns their number. */
export async function removeOldMatches(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from rule_matches where key = any(array(
      select key from rule_matches where judged_date < now() - make_interval(days => ${days})
        and (audio_clip_id is not null or end_ms is not null or is_withdrawn)
      order by judged_date limit ${most} for update skip locked)) returning 1`;
  return rows.length;
}
