import type { EventPreset } from '@earshot/contract/event-preset';
import { conflict, forbidden } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import { requireValue } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { enqueueAll } from '../event/public.ts';
import { typeOfPreset } from './for-device.ts';
import { findPreset, findPresetForDevice, listNamedDevices, lockPreset } from './queries.ts';

/*
 * Presets that the platform runs with the rights of a person: of the owner of a rule, or of the publisher of a device.
 */

/** The preset, locked against removal, if the person may run it. */
export async function holdPresetToRun(tx: Db, owner: Caller, presetID: number): Promise<EventPreset | undefined> {
  const preset = await findPreset(tx, owner, 'write', presetID);
  return preset && (await lockPreset(tx, presetID)) ? preset : undefined;
}

/** Enqueues the preset for one device. Throws a refusal if it is not for the device, or the person may not write to it. */
export async function enqueueHeldPreset(
  tx: Db,
  owner: Caller,
  preset: EventPreset,
  deviceID: number,
): Promise<StoredEvent> {
  const type = typeOfPreset(preset);
  if (!type) throw conflict('The preset has no event type.');
  const isFree = !preset.deviceID && !preset.deviceGroupID;
  if (!isFree && !(await findPresetForDevice(tx, preset.key ?? 0, deviceID)))
    throw conflict('The preset is for other devices.');
  const [device] = await listNamedDevices(tx, owner, [deviceID]);
  if (!device?.mayWrite) throw forbidden('The owner of the rule may not send work to the device.');
  const [event] = await enqueueAll(tx, owner, [deviceID], { ...preset, ...type });
  return requireValue(event, 'an enqueued event');
}
