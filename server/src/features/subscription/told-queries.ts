import type { Db } from '../../platform/database/connect.ts';
import { deviceRight } from '../../access.ts';
import type { MessageRecipient } from '../channel/public.ts';
import type { Filter } from './place-queries.ts';

/** A message that waits to be sent. */
export interface ToldRange extends Filter {
  readonly key: number;
  readonly channelID: number;
  readonly includesWords: boolean;
  /** Null: it tells that changes were missed. */
  readonly afterXid: number | null;
  readonly afterKey: number;
  readonly untilXid: number;
  readonly untilKey: number;
}

export async function findRange(db: Db, deliveryID: number): Promise<ToldRange | undefined> {
  const [row] = await db<ToldRange[]>`
    select s.key, s.channel_id as "channelID", s.user_id as "ownerID", u.role as "ownerRole", s.changes, s.scope,
      s.includes_words as "includesWords",
      d.after_xid::text::bigint as "afterXid", d.after_key as "afterKey", d.until_xid::text::bigint as "untilXid",
      d.until_key as "untilKey"
    from deliveries d join subscriptions s on s.key = d.subscription_id join users u on u.key = s.user_id
    where d.key = ${deliveryID} and d.state = 'waiting'`;
  return row;
}

/** The names of those of the devices that the message may name. */
export async function findToldNames(
  db: Db,
  { caller, isOutside }: MessageRecipient,
  deviceIDs: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (deviceIDs.length === 0) return new Map();
  const disclosed = isOutside ? db`and exists (select 1 from disclosed_devices x where x.device_id = d.key)` : db``;
  const rows = await db<{ key: number; name: string }[]>`
    select d.key, coalesce(d.device_name, d.device_serial, 'device ' || d.key) as name from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${deviceRight(db, caller, 'read')} ${disclosed}`;
  return new Map(rows.map(({ key, name }) => [key, name]));
}
