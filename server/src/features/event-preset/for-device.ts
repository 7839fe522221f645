import type { Event } from '@earshot/contract/event';
import type { EventPreset } from '@earshot/contract/event-preset';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { enqueueAll, isOwnerOnlyType } from '../event/public.ts';
import { findPreset, findPresetForDevice, lockPreset } from './queries.ts';

/** The types of the events that a preset enqueues; undefined if it names no event type. */
export function typeOfPreset({ eventTypeID, agentTypeID }: EventPreset) {
  if (!eventTypeID) return undefined;
  return {
    eventTypeID,
    agentTypeID: requireValue(agentTypeID, 'event_presets.agent_type_id of a preset with an event type'),
  };
}

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
  if (preset?.eventTypeID && isOwnerOnlyType(preset.eventTypeID)) {
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
  const type = preset && typeOfPreset(preset);
  if (!type || isOwnerOnlyType(type.eventTypeID)) return [];
  return enqueueAll(tx, caller, [deviceID], { ...preset, ...type });
}
