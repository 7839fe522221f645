import type { Event } from '@earshot/contract/event';
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { explainDenial, requireCollection } from '../../access.ts';
import { enqueueAll, isForOwner } from '../event/public.ts';
import { findPreset, findPresetForDevice, listGroupDevices, lockPreset } from './queries.ts';

/**
 * Throws unless the caller may read the preset and it applies to the device: it is one of the device, or of a collection
 * that contains the device. Locks the preset against removal until the transaction ends.
 */
export async function requirePresetForDevice(
  tx: Db,
  caller: Caller,
  presetID: number,
  deviceID: number,
): Promise<void> {
  const isReadable = (await findPreset(tx, caller, 'read', presetID)) !== undefined;
  if (!isReadable || !(await lockPreset(tx, presetID))) throw notFound('event preset', presetID);
  const preset = await findPresetForDevice(tx, presetID, deviceID);
  if (preset && isForOwner(preset.eventTypeID ?? 0)) {
    throw conflict('A device cannot send Update_software or Reboot to itself. Choose a preset of another type.');
  }
  if (preset) return;
  throw invalidField('eventPresetID', 'must be a preset of this device, or of a collection that contains it');
}

/**
 * Enqueues a preset for one device that has reported. Enqueues nothing if the preset does not apply to the device any
 * more, names no event type, or one that only the owner may send: the device itself, or somebody who changed the preset
 * later, is not the owner. After the commit the caller wakes the waiting polls.
 */
export async function enqueuePreset(tx: Db, caller: Caller, presetID: number, deviceID: number): Promise<Event[]> {
  const preset = await findPresetForDevice(tx, presetID, deviceID);
  const isSendable = preset?.eventTypeID && !isForOwner(preset.eventTypeID);
  return isSendable ? enqueueAll(tx, caller, [deviceID], preset) : [];
}

/**
 * The devices that a preset is for: its own device, or those of its group, to all of which the caller must be able to
 * write. A given group must be that of the preset.
 */
export async function requireTargets(
  tx: Db,
  caller: Caller,
  presetID: number,
  groupID: number | undefined,
): Promise<readonly number[]> {
  const preset = await findPreset(tx, caller, 'read', presetID);
  if (!preset) throw notFound('event preset', presetID);
  if (groupID) await requireCollection(tx, caller, 'read', groupID);
  if (groupID && preset.deviceGroupID !== groupID) {
    throw invalidField('deviceGroupID', 'must be the group of the preset; create a preset for this group');
  }
  if (preset.deviceID) {
    if (!(await findPreset(tx, caller, 'write', presetID))) throw forbidden(explainDenial('device', 'write'));
    return [preset.deviceID];
  }
  if (!preset.deviceGroupID) throw invalidField('deviceID', 'is required: the preset is for no device or group');
  const members = await listGroupDevices(tx, caller, preset.deviceGroupID);
  const denied = members.filter(({ mayWrite }) => !mayWrite).map(({ deviceID }) => deviceID);
  if (denied.length > 0) throw forbidden(`You may not change the devices ${denied.join(', ')}.`);
  if (members.length === 0) throw conflict('The group of the preset has no device that you may read.');
  return members.map(({ deviceID }) => deviceID);
}
