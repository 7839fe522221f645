import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { presetRight, presetsWithHolders } from '../../event-preset/public.ts';

/** A preset that is named as a command of a published device. */
export interface NamedCommand {
  readonly deviceID: number;
  readonly eventPresetID: number;
  readonly eventPresetName: string | null;
  /** Null: the preset has none. */
  readonly eventTypeID: number | null;
  readonly eventType: string | null;
  readonly eventParameters: string;
  /** Whether the publisher may run it on the device now. */
  readonly mayRun: boolean;
  readonly allowedHash: string | null;
  readonly allowedBy: number | null;
}

/** Whether the preset `p` is for the device, and has a type. */
const isForDevice = (db: Db, deviceID: Fragment): Fragment => db`
  (p.event_type_id is not null and (p.device_id = ${deviceID} or (p.device_id is null and p.device_group_id is null)
    or exists (select 1 from collection_items h where h.collection_id = p.device_group_id and h.device_id = ${deviceID})))`;

interface Asked {
  /** Unset: of all devices that the publisher has published. */
  readonly deviceID?: number | undefined;
  readonly eventPresetID?: number | undefined;
  /** Only presets that this person may read. */
  readonly reader?: Caller;
}

export async function findCommands(
  db: Db,
  publisher: Caller,
  { deviceID, eventPresetID, reader }: Asked = {},
): Promise<NamedCommand[]> {
  return db<NamedCommand[]>`
    select x.device_id as "deviceID", p.key as "eventPresetID", p.event_preset_name as "eventPresetName",
      p.event_type_id as "eventTypeID", t.event_type_name as "eventType", p.event_parameters as "eventParameters",
      coalesce(${presetRight(db, publisher, 'write')} and ${isForDevice(db, db`x.device_id`)}, false) as "mayRun",
      x.allowed_hash as "allowedHash", x.allowed_by as "allowedBy"
    from published_devices s join published_commands x on x.device_id = s.device_id and x.named_by = s.published_by
      join (${presetsWithHolders(db)}) on p.key = x.event_preset_id left join event_types t on t.key = p.event_type_id
    where s.published_by = ${publisher.userID} ${deviceID === undefined ? db`` : db`and s.device_id = ${deviceID}`}
      ${eventPresetID === undefined ? db`` : db`and p.key = ${eventPresetID}`} ${reader ? db`and ${presetRight(db, reader, 'read')}` : db``}
    order by x.device_id, p.key`;
}

export async function findPublisher(db: Db, deviceID: number): Promise<Caller | undefined> {
  const [row] = await db<Caller[]>`
    select u.key as "userID", u.role, 'publication' as credential
    from published_devices s join users u on u.key = s.published_by where s.device_id = ${deviceID}`;
  return row;
}

export type NameablePreset = Pick<NamedCommand, 'eventPresetID' | 'eventTypeID' | 'eventParameters'>;

/** Those of the presets that the caller may run on the device. */
export async function findNameable(
  db: Db,
  caller: Caller,
  deviceID: number,
  keys: readonly number[],
): Promise<NameablePreset[]> {
  return db<NameablePreset[]>`
    select p.key as "eventPresetID", p.event_type_id as "eventTypeID", p.event_parameters as "eventParameters"
    from ${presetsWithHolders(db)}
    where p.key = any(${keys as number[]}::bigint[]) and ${presetRight(db, caller, 'write')}
      and ${isForDevice(db, db`${deviceID}::bigint`)}
    order by p.key for key share of p`;
}

/** Those that stay commands keep what an admin allowed. */
export async function nameCommands(
  tx: Db,
  { userID }: Caller,
  deviceID: number,
  presets: readonly { readonly eventPresetID: number; readonly allowedHash: string | null }[],
): Promise<void> {
  await tx`
    insert into published_commands (device_id, event_preset_id, named_by, allowed_hash, allowed_by)
    select ${deviceID}::bigint, n.key, ${userID}::bigint, n.hash, case when n.hash is not null then ${userID}::bigint end
    from unnest(${presets.map(({ eventPresetID }) => eventPresetID)}::bigint[],
      ${presets.map(({ allowedHash }) => allowedHash)}::text[]) as n (key, hash)
    order by n.key on conflict do nothing`;
}

/** Commands that other people named go, and with `kept` all others. */
export async function forgetCommands(
  tx: Db,
  { userID }: Caller,
  deviceID: number,
  kept: readonly number[] | undefined,
): Promise<void> {
  await tx`
    delete from published_commands where device_id = ${deviceID} and (named_by <> ${userID}
      ${kept ? tx`or event_preset_id <> all(${kept as number[]}::bigint[])` : tx``})`;
}

export async function allowCommand(
  tx: Db,
  { userID }: Caller,
  { deviceID, eventPresetID }: Pick<NamedCommand, 'deviceID' | 'eventPresetID'>,
  hash: string,
): Promise<void> {
  await tx`
    update published_commands set allowed_hash = ${hash}, allowed_by = ${userID}
    where device_id = ${deviceID} and event_preset_id = ${eventPresetID}`;
}
