import type { Event } from '@earshot/contract/event';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { enqueueAll, isOwnerOnlyType } from '../event/public.ts';
import { findPreset, findPresetForDevice, lockPreset } from './queries.ts';

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
  if (preset && isOwnerOnlyType(preset.eventTypeID ?? 0)) {
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
  const isSendable = preset?.eventTypeID && !isOwnerOnlyType(preset.eventTypeID);
  return isSendable ? enqueueAll(tx, caller, [deviceID], preset) : [];
}
