import type { Event } from '@earshot/contract/event';
import { invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { enqueueAll } from '../event/public.ts';
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
  if (await findPresetForDevice(tx, presetID, deviceID)) return;
  throw invalidField('eventPresetID', 'must be a preset of this device, or of a collection that contains it');
}

/**
 * Enqueues a preset for one device. Enqueues nothing if the preset does not apply to the device any more, or names no
 * event type. After the commit the caller wakes the waiting polls.
 */
export async function enqueuePreset(tx: Db, caller: Caller, presetID: number, deviceID: number): Promise<Event[]> {
  const preset = await findPresetForDevice(tx, presetID, deviceID);
  return preset?.eventTypeID ? enqueueAll(tx, caller, [deviceID], preset) : [];
}
