import { deviceReaders, deviceRight } from '../../../access.ts';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';

/** Whether a list of `where` in the rule `r` is empty, or has one of the keys. */
const isNamedIn = (db: Db, list: 'deviceIDs' | 'collectionIDs', keys: Fragment): Fragment => db`
  (coalesce(jsonb_array_length(r.definition -> 'where' -> ${list}::text), 0) = 0 or exists (
    select 1 from jsonb_array_elements_text(r.definition -> 'where' -> ${list}::text) n (key)
    where n.key::bigint in (${keys})))`;

/**
 * Whether the rule `r` of the person `u` looks at the device `d` now, as `isWatched` says of a rule that is not stored. A rule that is built in
 * has no person, and looks at every device.
 */
export const isWatchedByStored = (db: Db): Fragment => db`
  (r.user_id is null or u.role = 'admin' or u.key = any(${deviceReaders(db)}))
  and ${isNamedIn(db, 'deviceIDs', db`select d.key union all select g.device_id from merged_devices g where g.into_id = d.key`)}
  and ${isNamedIn(db, 'collectionIDs', db`select w.collection_id from collection_items w where w.device_id = d.key`)}`;

/**
 * Whether the caller may see alerts of the rule `r` at all: its owner, admins, and the people and teams whom it tells; of one that is built in,
 * everybody.
 */
export const isOfCaller = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin'
    ? db`true`
    : db`(r.user_id = ${userID} or r.user_id is null or exists (
        select 1 from rule_recipients t where t.user_id = ${userID} and t.rule_id = r.key)
      or exists (
        select 1 from team_people p join rule_teams t on t.team_id = p.team_id
        where p.user_id = ${userID} and t.rule_id = r.key))`;

/**
 * Whether the caller may see the alert `a` of the rule `r` of the person `u` now: one of the devices of its matches, at
 * which the rule looks and which the caller may read. Asked of one alert after the other, in the order in which they are
 * listed: `offset 0` keeps PostgreSQL from joining all of them first.
 */
export const alertRight = (db: Db, caller: Caller): Fragment => db`
  (${isOfCaller(db, caller)} and exists (
    select 1 from alert_matches am join rule_matches m on m.key = am.match_id join devices d on d.key = m.device_id
    where am.alert_id = a.key and ${deviceRight(db, caller, 'read')} and ${isWatchedByStored(db)} offset 0))`;

/** The enabled rules of other people than its owner that look at the device now. */
export async function countWatching(db: Db, deviceID: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from devices d join rules r on r.is_enabled and r.user_id <> d.user_id
      join users u on u.key = r.user_id
    where d.key = ${deviceID} and ${isWatchedByStored(db)}`;
  return row?.count ?? 0;
}
