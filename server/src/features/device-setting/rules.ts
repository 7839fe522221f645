import type { DeviceSetting, DeviceSettingUpdate } from '@earshot/contract/device-setting';
import { mostSettings } from '@earshot/contract/device-setting';
import { conflict, forbidden, Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import type { EventParts } from '../event/public.ts';
import { enqueueAll, requireEventType } from '../event/public.ts';
import type { NameQuery } from './given.ts';
import { requireSettingName, requireSettingValue } from './given.ts';
import type { SettingSide } from './queries.ts';
import {
  changeSetting,
  countOtherSettings,
  findSetting,
  insertSetting,
  lockDeviceOfSettings,
  removeSetting,
  removeSettingValue,
  selectSettings,
} from './queries.ts';

/** A device reports its values; everybody else says what is wanted. */
const sideOf = ({ deviceID }: Caller): SettingSide => (deviceID === undefined ? 'wanted' : 'reported');

const noSetting = (name: string) => new Refusal('notFound', `The device has no setting ${name}.`);

export async function findSettings(db: Db, caller: Caller, deviceID: number): Promise<DeviceSetting[]> {
  await requireDevice(db, caller, 'read', deviceID);
  return selectSettings(db, caller, deviceID);
}

export async function readSetting(db: Db, caller: Caller, deviceID: number, query: NameQuery): Promise<DeviceSetting> {
  const name = requireSettingName(query);
  const setting = await findSetting(db, caller, deviceID, name);
  if (setting) return setting;
  await requireDevice(db, caller, 'read', deviceID);
  throw noSetting(name);
}

export async function editSetting(
  { db, wakeups }: EventParts,
  caller: Caller,
  deviceID: number,
  { local = false, ...query }: NameQuery & { readonly local?: boolean },
  given: DeviceSettingUpdate,
): Promise<void> {
  const name = requireSettingName(query, given);
  const text = requireSettingValue(given);
  const side = sideOf(caller);
  if (local && side === 'reported') throw forbidden('A device key reports settings; it may not enqueue events.');
  await inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    await lockDeviceOfSettings(tx, deviceID);
    if (text === null) await removeSettingValue(tx, deviceID, name, side);
    else await putSetting(tx, caller, deviceID, name, side, text);
    if (local) await enqueueUpdate(tx, caller, deviceID, name, text);
    await recordChange(tx, caller, deviceID);
  });
  if (local) wakeups.add([deviceID]);
}

/** What a device reports about itself is no act of a person. */
async function recordChange(tx: Db, caller: Caller, deviceID: number): Promise<void> {
  if (sideOf(caller) === 'wanted') await recordAct(tx, caller, 'setting-changed', { recordID: deviceID, deviceID });
}

async function putSetting(
  tx: Db,
  caller: Caller,
  deviceID: number,
  name: string,
  side: SettingSide,
  value: string,
): Promise<void> {
  if (await changeSetting(tx, caller, deviceID, name, side, value)) return;
  if ((await countOtherSettings(tx, deviceID, name)) >= mostSettings) {
    throw conflict(`The device has ${mostSettings} settings, the most that are stored. Remove one first.`);
  }
  await insertSetting(tx, caller, deviceID, name, side, value);
}

async function enqueueUpdate(
  tx: Db,
  caller: Caller,
  deviceID: number,
  settingName: string,
  settingValue: string | null,
): Promise<void> {
  const type = await requireEventType(tx, { eventType: 'Update_setting' });
  const eventParameters = JSON.stringify({ settingName, settingValue });
  await enqueueAll(tx, caller, [deviceID], { ...type, eventParameters });
}

export async function eraseSetting(db: Pool, caller: Caller, deviceID: number, query: NameQuery): Promise<void> {
  const name = requireSettingName(query);
  await inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    const isRemoved =
      sideOf(caller) === 'reported'
        ? await removeSettingValue(tx, deviceID, name, 'reported')
        : await removeSetting(tx, deviceID, name);
    if (!isRemoved) throw noSetting(name);
    await recordChange(tx, caller, deviceID);
  });
}
