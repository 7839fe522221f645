import type { BellEntry, BellKind } from '@earshot/contract/bell';
import { mostUnread } from '@earshot/contract/bell';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { deviceRight } from '../../access.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { alertRight, isWatchedByStored } from '../rule/public.ts';

export type FoundEntry = Omit<BellEntry, 'startTime' | 'startTimeMs' | 'kind' | 'key'> & {
  readonly key: number;
  readonly kind: BellKind;
  readonly startMs: number | null;
  readonly when: RuleWhen | null;
};

/**
 * The entries `b` of the caller, with the alert `a`, its rule `r` and the owner `u` of that, each looked up for one entry after
 * the other, so that a page reads no more entries than it needs.
 */
const entries = (db: Db, caller: Caller): Fragment => db`
  bell_entries b left join lateral (select * from rules r where r.key = b.rule_id limit 1) r on true
    left join lateral (select * from users u where u.key = r.user_id limit 1) u on true
    left join lateral (select * from alerts a where a.key = b.alert_id limit 1) a on true
    left join lateral (select * from bell_manners p where p.user_id = b.user_id limit 1) p on true
  where b.user_id = ${caller.userID} and (b.alert_id is null or ${alertRight(db, caller)})`;

const isResolved = (db: Db): Fragment => db`coalesce(a.close_reason in ('withdrawn', 'ended'), false)`;
const isRead = (db: Db): Fragment => db`(b.key <= coalesce(p.read_to, 0) or ${isResolved(db)})`;

export interface EntryPlace {
  readonly after: number | undefined;
  readonly ascending: boolean;
  readonly count: number;
}

export async function selectEntries(
  db: Db,
  caller: Caller,
  { after, ascending, count }: EntryPlace,
): Promise<FoundEntry[]> {
  const place = after === undefined ? db`` : ascending ? db`and b.key > ${after}` : db`and b.key < ${after}`;
  const direction = ascending ? db`asc` : db`desc`;
  return db<FoundEntry[]>`
    select e.*, f.*, e.when from (
      select b.key, b.kind, b.rule_id as "ruleID", r.rule_name as "ruleName", coalesce(a.severity, r.severity) as severity,
        b.alert_id as "alertID", b.entry_count as count, b.reason, ${isRead(db)} as "isRead", ${isResolved(db)} as "isResolved",
        b.is_quiet as "isQuiet", b.creation_date as "creationDate", r.definition -> 'when' as "when"
      from ${entries(db, caller)} ${place} order by b.key ${direction} limit ${count}) e
    left join lateral (
      select m.audio_clip_id as "audioClipID", d.key as "deviceID", d.device_name as "deviceName", m.start_ms as "startMs"
      from alerts a join rules r on r.key = a.rule_id left join users u on u.key = r.user_id
        join alert_matches am on am.alert_id = a.key join rule_matches m on m.key = am.match_id
        join devices d on d.key = m.device_id
      where a.key = e."alertID" and not m.is_withdrawn and not am.has_left and ${deviceRight(db, caller, 'read')}
        and ${isWatchedByStored(db)}
      order by m.start_ms, m.key limit 1) f on true
    order by e.key ${direction}`;
}

export async function countUnread(db: Db, caller: Caller): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from (
      select 1 from ${entries(db, caller)} and not ${isRead(db)}
        and b.key > coalesce((select read_to from bell_manners where user_id = ${caller.userID}), 0)
      order by b.key desc limit ${mostUnread}) unread`;
  return row?.count ?? 0;
}
