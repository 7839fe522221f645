import type { Device } from '@earshot/contract/device';
import type { DeviceReadiness, ReportReady, StartupTarget } from '@earshot/contract/device-ready';
import { notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../../access.ts';
import { readDevice, requireReportingDevice } from '../device/public.ts';
import type { EventParts } from '../event/public.ts';
import { enqueuePreset, requirePresetForDevice, requireTargets } from '../event-preset/public.ts';
import { findReadiness, lockReadyDevice, lockReadyDevices, putReadyPreset, recordReady } from './queries.ts';

/** The readiness and the events of the preset are stored together. */
export async function acceptReady({ db, wakeups }: EventParts, caller: Caller, given: ReportReady): Promise<Device> {
  const deviceID = await requireReportingDevice(db, caller, given);
  const events = await inTransaction(db, async (tx) => {
    if (!(await lockReadyDevice(tx, deviceID))) throw notFound('device', deviceID);
    const presetID = await recordReady(tx, deviceID, given.agentVersion);
    return presetID === undefined ? [] : enqueuePreset(tx, caller, presetID, deviceID);
  });
  if (events.length > 0) db.afterCommit(() => wakeups.add([deviceID]));
  return readDevice(db, caller, deviceID);
}

export async function readReadiness(db: Db, caller: Caller, deviceID: number): Promise<DeviceReadiness> {
  const readiness = await findReadiness(db, caller, deviceID);
  if (!readiness) throw notFound('device', deviceID);
  return readiness;
}

/** Locks the device, the preset and the readiness in this order (docs/decisions/0020). */
export async function chooseReadyPreset(
  db: Pool,
  caller: Caller,
  deviceID: number,
  presetID: number | null,
): Promise<DeviceReadiness> {
  return inTransaction(db, async (tx) => {
    await requireDevice(tx, caller, 'write', deviceID);
    if (!(await lockReadyDevice(tx, deviceID))) throw notFound('device', deviceID);
    if (presetID !== null) await requirePresetForDevice(tx, caller, presetID, deviceID);
    await putReadyPreset(tx, [deviceID], presetID);
    return readReadiness(tx, caller, deviceID);
  });
}

/** The same for the device that the request names, for the devices of the group, or for those that the preset is for. */
export async function chooseStartupPreset(
  db: Pool,
  caller: Caller,
  presetID: number,
  { deviceID, deviceGroupID }: StartupTarget,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (deviceID && !deviceGroupID) await requireDevice(tx, caller, 'write', deviceID);
    const targets = deviceID && !deviceGroupID ? [deviceID] : await requireTargets(tx, caller, presetID, deviceGroupID);
    await lockReadyDevices(tx, targets);
    for (const target of targets.slice(0, 1)) await requirePresetForDevice(tx, caller, presetID, target);
    await putReadyPreset(tx, targets, presetID);
  });
}
