import type { BellManners, BellMannersUpdate } from '@earshot/contract/bell';
import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import type { Db } from '../../platform/database/connect.ts';

/** The people among these who are not told by rules of others. */
export async function findRefusing(tx: Db, people: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx<{ userID: number }[]>`
    select user_id as "userID" from bell_manners
    where user_id = any(${people as number[]}::bigint[]) and refuses_others`;
  return new Set(rows.map(({ userID }) => userID));
}

export async function findQuietTimes(
  tx: Db,
  people: readonly number[],
): Promise<ReadonlyMap<number, readonly RuleActiveTime[]>> {
  const rows = await tx<{ userID: number; quietTimes: RuleActiveTime[] }[]>`
    select user_id as "userID", quiet_times as "quietTimes" from bell_manners
    where user_id = any(${people as number[]}::bigint[])`;
  return new Map(rows.map(({ userID, quietTimes }) => [userID, quietTimes]));
}

export async function findManners(db: Db, userID: number): Promise<BellManners> {
  const [row] = await db<BellManners[]>`
    select quiet_times as "quietTimes", refuses_others as "refusesOthers" from bell_manners where user_id = ${userID}`;
  return row ?? { quietTimes: [], refusesOthers: false };
}

export async function putManners(
  db: Db,
  userID: number,
  { quietTimes, refusesOthers }: BellMannersUpdate,
): Promise<BellManners> {
  const times = quietTimes === undefined ? null : JSON.stringify(quietTimes);
  const [row] = await db<BellManners[]>`
    insert into bell_manners as b (user_id, quiet_times, refuses_others)
    values (${userID}, coalesce(${times}::text::jsonb, '[]'), coalesce(${refusesOthers ?? null}::boolean, false))
    on conflict (user_id) do update set quiet_times = coalesce(${times}::text::jsonb, b.quiet_times),
      refuses_others = coalesce(${refusesOthers ?? null}::boolean, b.refuses_others)
    returning quiet_times as "quietTimes", refuses_others as "refusesOthers"`;
  if (!row) throw new Error('the manners of a person were not returned');
  return row;
}

/** Never back: an older key changes nothing. */
export async function putReadTo(db: Db, userID: number, readTo: number): Promise<void> {
  await db`
    insert into bell_manners as b (user_id, read_to)
    values (${userID}, least(${readTo}::bigint, coalesce((select max(key) from bell_entries where user_id = ${userID}), 0)))
    on conflict (user_id) do update set read_to = greatest(b.read_to, excluded.read_to)`;
}
