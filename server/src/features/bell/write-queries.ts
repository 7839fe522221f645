import type { BellKind } from '@earshot/contract/bell';
import type { Db } from '../../platform/database/connect.ts';

export interface NewEntry {
  readonly userID: number;
  readonly kind: BellKind;
  readonly ruleID: number | null;
  readonly alertID: number | null;
  readonly reason: string | null;
  readonly isQuiet: boolean;
}

/** How long the same refusal of a rule is not told again. */
const refusalHours = 24;

/** Adds the entries. The same refusal of a rule is told once a day. */
export async function insertEntries(tx: Db, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return;
  await tx`
    insert into bell_entries (user_id, kind, rule_id, alert_id, reason, is_quiet, entry_count)
    select n.user_id, n.kind, n.rule_id, n.alert_id, n.reason, n.is_quiet = 1, case when n.kind = 'tooOld' then 1 end
    from unnest(${entries.map(({ userID }) => userID)}::bigint[], ${entries.map(({ kind }) => kind)}::text[],
      ${entries.map(({ ruleID }) => ruleID)}::bigint[], ${entries.map(({ alertID }) => alertID)}::bigint[],
      ${entries.map(({ reason }) => reason)}::text[], ${entries.map(({ isQuiet }) => Number(isQuiet))}::int[])
      as n (user_id, kind, rule_id, alert_id, reason, is_quiet)
    where n.kind <> 'refused' or not exists (
      select 1 from bell_entries b where b.user_id = n.user_id and b.rule_id = n.rule_id and b.kind = 'refused'
        and b.reason = n.reason and b.creation_date > now() - make_interval(hours => ${refusalHours}))
    order by n.user_id`;
}

/** Counts sound that was too old in the entry of the last hour, and returns the people who have one. */
export async function countTooOld(tx: Db, people: readonly number[]): Promise<number[]> {
  const rows = await tx<{ userID: number }[]>`
    update bell_entries b set entry_count = b.entry_count + 1
    from unnest(${people as number[]}::bigint[]) p (user_id)
    cross join lateral (
      select e.key from bell_entries e where e.user_id = p.user_id and e.kind = 'tooOld' order by e.key desc limit 1) e
    where b.key = e.key and b.creation_date > clock_timestamp() - interval '1 hour'
    returning b.user_id as "userID"`;
  return rows.map(({ userID }) => userID);
}

/** Removes entries of before so many days, and returns their number. */
export async function removeOldEntries(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    delete from bell_entries where key = any(array(
      select key from bell_entries where creation_date < now() - make_interval(days => ${days})
      order by creation_date limit ${most} for update skip locked)) returning 1`;
  return rows.length;
}
