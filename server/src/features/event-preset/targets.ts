import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { explainDenial, requireCollection } from '../../access.ts';
import { findPreset, listGroupDevices } from './queries.ts';

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
