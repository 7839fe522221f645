import type { ChannelKindName } from '@earshot/contract/channel-kinds';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** Admins see and change all channels; everybody else their own. */
export const channelRight = (db: Db, { role, userID }: Caller): Fragment =>
  role === 'admin' ? db`true` : db`c.user_id = ${userID}`;

export interface StoredChannel {
  readonly key: number;
  readonly userID: number;
  readonly channelName: string;
  readonly kind: ChannelKindName;
  readonly isEnabled: boolean;
  readonly sealedSettings: Buffer | null;
  readonly confirmedDate: string | null;
  readonly failures: number;
  readonly failingSince: string | null;
  readonly lastFault: string | null;
  readonly lastDeliveredDate: string | null;
  readonly creationDate: string;
  readonly createdBy: number | null;
  readonly lastModifiedDate: string | null;
  readonly lastModifiedBy: number | null;
}

const channelColumns = (db: Db): Fragment => db`
  c.key, c.user_id as "userID", c.channel_name as "channelName", c.kind, c.is_enabled as "isEnabled",
  c.sealed_settings as "sealedSettings", c.confirmed_date as "confirmedDate", c.failures,
  c.failing_since as "failingSince", c.last_fault as "lastFault", c.last_delivered_date as "lastDeliveredDate",
  c.creation_date as "creationDate", c.created_by as "createdBy", c.last_modified_date as "lastModifiedDate",
  c.last_modified_by as "lastModifiedBy"`;

export async function selectChannels(db: Db, caller: Caller): Promise<StoredChannel[]> {
  return db<StoredChannel[]>`
    select ${channelColumns(db)} from channels c where ${channelRight(db, caller)} order by c.key desc limit 1000`;
}

export async function findChannel(db: Db, caller: Caller, channelID: number): Promise<StoredChannel | undefined> {
  const [row] = await db<StoredChannel[]>`
    select ${channelColumns(db)} from channels c where c.key = ${channelID} and ${channelRight(db, caller)}`;
  return row;
}

/** Waits for other changes of the channel. */
export async function lockChannel(tx: Db, caller: Caller, channelID: number): Promise<StoredChannel | undefined> {
  const [row] = await tx<StoredChannel[]>`
    select ${channelColumns(tx)} from channels c where c.key = ${channelID} and ${channelRight(tx, caller)}
    for no key update of c`;
  return row;
}

/** Locks the person, so that channels of one person are counted one after another. */
export async function countChannels(tx: Db, userID: number): Promise<number> {
  await tx`select 1 from users where key = ${userID} for no key update`;
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from channels where user_id = ${userID}`;
  return row?.count ?? 0;
}

export interface NewChannelRow {
  readonly channelName: string;
  readonly kind: ChannelKindName;
  readonly isEnabled: boolean;
}

export async function insertChannel(tx: Db, { userID }: Caller, given: NewChannelRow): Promise<number> {
  const [row] = await tx<{ key: number }[]>`
    insert into channels (user_id, channel_name, kind, is_enabled, created_by)
    values (${userID}, ${given.channelName}, ${given.kind}, ${given.isEnabled}, ${userID}) returning key`;
  if (!row) throw new Error('an inserted channel was not returned');
  return row.key;
}

export interface ChannelChange {
  readonly channelName?: string | undefined;
  readonly isEnabled?: boolean | undefined;
  readonly sealedSettings?: Buffer | undefined;
  /** It has another address, which must confirm again. */
  readonly isElsewhere?: boolean;
}

/** New settings end the pause: they may be what was missing. */
export async function changeChannel(
  tx: Db,
  { userID }: Caller,
  channelID: number,
  { channelName, isEnabled, sealedSettings, isElsewhere = false }: ChannelChange,
): Promise<void> {
  const sealed = sealedSettings
    ? tx`, sealed_settings = ${sealedSettings}, paused_until = null, failures = 0, failing_since = null, last_fault = null`
    : tx``;
  await tx`
    update channels set last_modified_date = now(), last_modified_by = ${userID}
      ${isElsewhere ? tx`, confirmed_date = null` : tx``} ${changedColumns(tx, { channel_name: channelName, is_enabled: isEnabled })} ${sealed}
    where key = ${channelID}`;
}

/** What a new channel has from the start, or none. */
export async function putSettings(tx: Db, channelID: number, sealed: Buffer): Promise<void> {
  await tx`update channels set sealed_settings = ${sealed} where key = ${channelID}`;
}

export async function removeChannel(tx: Db, caller: Caller, channelID: number): Promise<boolean> {
  const rows = await tx`delete from channels c where c.key = ${channelID} and ${channelRight(tx, caller)} returning 1`;
  return rows.length === 1;
}

/** Those of the channels that are the person's and switched on. */
export async function findUsableChannels(
  db: Db,
  userID: number,
  keys: readonly number[],
): Promise<ReadonlySet<number>> {
  if (keys.length === 0) return new Set();
  const rows = await db<{ key: number }[]>`
    select key from channels where key = any(${keys as number[]}::bigint[]) and user_id = ${userID} and is_enabled
    order by key`;
  return new Set(rows.map(({ key }) => key));
}
