import type { EventPreset } from '@earshot/contract/event-preset';
import type { Right } from '@earshot/contract/operation';
import { largestCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { collectionRight, deviceRight } from '../../access.ts';

const presetColumns = (db: Db): Fragment => db`
  p.key, p.event_preset_name as "eventPresetName", p.device_id as "deviceID", p.device_group_id as "deviceGroupID",
  p.agent_type_id as "agentTypeID", p.event_type_id as "eventTypeID", p.event_parameters as "eventParameters",
  p.priority, p.expiration_epoch as "expirationEpoch", p.max_attempts as "maxAttempts",
  p.creation_date as "creationDate"`;

/** Presets `p` with their device `d` or collection `c`. */
export const presetsWithHolders = (db: Db): Fragment => db`
  event_presets p left join devices d on d.key = p.device_id left join collections c on c.key = p.device_group_id`;

/** The rights to a preset are those to its device or collection. Without either, it is its creator's own. */
export const presetRight = (db: Db, caller: Caller, right: Right): Fragment => db`
  (${deviceRight(db, caller, right)} or ${collectionRight(db, caller, right)}
    or (p.device_id is null and p.device_group_id is null
      ${caller.role === 'admin' ? db`` : db`and p.user_id = ${caller.userID}`}))`;

export async function findPreset(
  db: Db,
  caller: Caller,
  right: Right,
  presetID: number,
): Promise<EventPreset | undefined> {
  const [row] = await db<EventPreset[]>`
    select ${presetColumns(db)} from ${presetsWithHolders(db)} where p.key = ${presetID} and ${presetRight(db, caller, right)}`;
  return row;
}

export const findReadablePreset = (db: Db, caller: Caller, presetID: number): Promise<EventPreset | undefined> =>
  findPreset(db, caller, 'read', presetID);

/** People create presets by hand, so there are few: the right is checked row by row. */
export async function listReadablePresets(db: Db, caller: Caller): Promise<EventPreset[]> {
  return db<EventPreset[]>`
    select ${presetColumns(db)} from ${presetsWithHolders(db)} where ${presetRight(db, caller, 'read')}
    order by p.creation_date desc, p.key desc limit ${largestCount}`;
}

/** The device's own presets, and those of every collection that contains it and that the caller may read. */
export async function listPresetsOf(db: Db, caller: Caller, deviceID: number): Promise<EventPreset[]> {
  return db<EventPreset[]>`
    select ${presetColumns(db)} from event_presets p where p.device_id = ${deviceID}
    union all
    select ${presetColumns(db)} from event_presets p join collections c on c.key = p.device_group_id
    where ${collectionRight(db, caller, 'read')}
      and exists (select 1 from collection_items h where h.collection_id = c.key and h.device_id = ${deviceID})
    order by "creationDate" desc, key desc`;
}

export interface PresetFields {
  readonly name: string | null | undefined;
  readonly agentTypeID: number | undefined;
  readonly eventTypeID: number | undefined;
  readonly eventParameters: string | undefined;
  readonly priority: number | undefined;
  readonly maxAttempts: number | undefined;
  readonly expirationEpoch: number | undefined;
}

export async function insertPreset(
  db: Db,
  caller: Caller,
  owner: { deviceID: number | null; deviceGroupID: number | null },
  row: PresetFields,
): Promise<EventPreset> {
  const [preset] = await db<EventPreset[]>`
    insert into event_presets as p (user_id, event_preset_name, device_id, device_group_id, agent_type_id, event_type_id,
      event_parameters, priority, max_attempts, expiration_epoch)
    values (${caller.userID}, ${row.name ?? null}, ${owner.deviceID}, ${owner.deviceGroupID}, ${row.agentTypeID ?? null},
      ${row.eventTypeID ?? null}, ${row.eventParameters ?? '{}'}, ${row.priority ?? 0}, ${row.maxAttempts ?? 1},
      ${row.expirationEpoch ?? 0})
    returning ${presetColumns(db)}`;
  if (!preset) throw new Error('an inserted preset was not returned');
  return preset;
}

export async function changePreset(db: Db, presetID: number, row: PresetFields): Promise<void> {
  await db`
    update event_presets set creation_date = creation_date ${changedColumns(db, {
      event_preset_name: row.name,
      agent_type_id: row.agentTypeID,
      event_type_id: row.eventTypeID,
      event_parameters: row.eventParameters,
      priority: row.priority,
      max_attempts: row.maxAttempts,
      expiration_epoch: row.expirationEpoch,
    })} where key = ${presetID}`;
}

export async function removePreset(db: Db, presetID: number): Promise<void> {
  await db`delete from event_presets where key = ${presetID}`;
}

export interface GroupMember {
  readonly deviceID: number;
  readonly mayWrite: boolean;
}

/** The devices of a group that the caller may read, and whether the caller may write to each. */
export async function listGroupDevices(db: Db, caller: Caller, collectionID: number): Promise<GroupMember[]> {
  return db<GroupMember[]>`
    select d.key as "deviceID", ${deviceRight(db, caller, 'write')} as "mayWrite"
    from collection_items h join devices d on d.key = h.device_id
    where h.collection_id = ${collectionID} and ${deviceRight(db, caller, 'read')}
    order by d.key`;
}

/** Those of the devices that the caller may read, and whether the caller may write to each. */
export async function listNamedDevices(db: Db, caller: Caller, deviceIDs: readonly number[]): Promise<GroupMember[]> {
  return db<GroupMember[]>`
    select d.key as "deviceID", ${deviceRight(db, caller, 'write')} as "mayWrite" from devices d
    where d.key = any(${deviceIDs as number[]}::bigint[]) and ${deviceRight(db, caller, 'read')} order by d.key`;
}

export const lockPresetsOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from event_presets where device_id = ${deviceID} order by key for update`;

/** The preset, if it is one of the device or of a collection that contains the device. Checks no right. */
export async function findPresetForDevice(
  db: Db,
  presetID: number,
  deviceID: number,
): Promise<EventPreset | undefined> {
  const [row] = await db<EventPreset[]>`
    select ${presetColumns(db)} from event_presets p where p.key = ${presetID} and (p.device_id = ${deviceID} or exists (
      select 1 from collection_items h where h.collection_id = p.device_group_id and h.device_id = ${deviceID}))`;
  return row;
}

/** False if the preset was removed. */
export async function lockPreset(tx: Db, presetID: number): Promise<boolean> {
  const rows = await tx`select 1 from event_presets where key = ${presetID} for key share`;
  return rows.length === 1;
}
