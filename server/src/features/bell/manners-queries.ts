import type { BellDigest, BellManners, BellMannersUpdate } from '@earshot/contract/bell';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import type { Db, Fragment } from '../../platform/database/connect.ts';

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

type StoredManners = Omit<BellManners, 'severityChannels' | 'digest'> & {
  readonly digest: BellDigest | null;
} & Record<RuleSeverity, number[]>;

export async function findManners(db: Db, userID: number): Promise<BellManners> {
  const chosen = (severity: RuleSeverity): Fragment => db`
    array(select c.channel_id from bell_channels c
      where c.user_id = p.user_id and c.severity = ${severity} order by c.channel_id)`;
  const [row] = await db<StoredManners[]>`
    select coalesce(b.quiet_times, '[]') as "quietTimes", coalesce(b.refuses_others, false) as "refusesOthers", b.digest,
      ${chosen('info')} as info, ${chosen('warning')} as warning, ${chosen('critical')} as critical
    from (select ${userID}::bigint as user_id) p left join bell_manners b on b.user_id = p.user_id`;
  if (!row) throw new Error('the manners of a person were not returned');
  const { info, warning, critical, digest, ...rest } = row;
  return { ...rest, severityChannels: { info, warning, critical }, ...(digest === null ? {} : { digest }) };
}

/** Sets what is given; `digest` null: none. */
export async function putManners(
  tx: Db,
  userID: number,
  { quietTimes, refusesOthers, digest }: Omit<BellMannersUpdate, 'severityChannels'>,
): Promise<void> {
  const times = quietTimes === undefined ? null : JSON.stringify(quietTimes);
  const newDigest = digest ? JSON.stringify(digest) : null;
  await tx`
    insert into bell_manners as b (user_id, quiet_times, refuses_others, digest)
    values (${userID}, coalesce(${times}::text::jsonb, '[]'), coalesce(${refusesOthers ?? null}::boolean, false),
      ${newDigest}::text::jsonb)
    on conflict (user_id) do update set quiet_times = coalesce(${times}::text::jsonb, b.quiet_times),
      refuses_others = coalesce(${refusesOthers ?? null}::boolean, b.refuses_others),
      digest = case when ${digest !== undefined} then ${newDigest}::text::jsonb else b.digest end`;
}

export interface ChosenChannel {
  readonly severity: RuleSeverity;
  readonly channelID: number;
}

/** Replaces the channels of these severities. */
export async function putChosenChannels(
  tx: Db,
  userID: number,
  severities: readonly RuleSeverity[],
  chosen: readonly ChosenChannel[],
): Promise<void> {
  await tx`delete from bell_channels where user_id = ${userID} and severity = any(${severities as RuleSeverity[]}::text[])`;
  await tx`
    insert into bell_channels (user_id, severity, channel_id)
    select ${userID}, n.severity, n.channel_id
    from unnest(${chosen.map(({ severity }) => severity)}::text[], ${chosen.map(({ channelID }) => channelID)}::bigint[])
      as n (severity, channel_id)
    order by n.severity, n.channel_id on conflict do nothing`;
}

/** Those of the channels that are the person's. */
export async function findOwnChannels(tx: Db, userID: number, keys: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = await tx<{ key: number }[]>`
    select key from channels where key = any(${keys as number[]}::bigint[]) and user_id = ${userID}
    order by key for key share`;
  return new Set(rows.map(({ key }) => key));
}

/** Never back: an older key changes nothing. */
export async function putReadTo(db: Db, userID: number, readTo: number): Promise<void> {
  await db`
    insert into bell_manners as b (user_id, read_to)
    values (${userID}, least(${readTo}::bigint, coalesce((select max(key) from bell_entries where user_id = ${userID}), 0)))
    on conflict (user_id) do update set read_to = greatest(b.read_to, excluded.read_to)`;
}
