import type { Event } from '@earshot/contract/event';
import type { CreateEventPreset, EventPreset, EventPresetUpdate } from '@earshot/contract/event-preset';
import type { Right } from '@earshot/contract/operation';
import { conflict, forbidden, invalid, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { explainDenial, requireCollection, requireDevice } from '../../access.ts';
import type { GroupMember, PresetFields } from './queries.ts';
import {
  changePreset,
  findPreset,
  insertPreset,
  listGroupDevices,
  listNamedDevices,
  listPresetsOf,
  removePreset,
} from './queries.ts';
import { findAgentTypeByName } from '../agent/public.ts';
import type { EventParts } from '../event/public.ts';
import { enqueueAll, parametersText, requireEventType } from '../event/public.ts';
import { typeOfPreset } from './for-device.ts';

export async function requirePreset(db: Db, caller: Caller, right: Right, presetID: number): Promise<EventPreset> {
  const preset = await findPreset(db, caller, right, presetID);
  if (preset) return preset;
  if (!(await findPreset(db, caller, 'read', presetID))) throw notFound('event preset', presetID);
  throw forbidden(explainDenial('device or group', 'write'));
}

export async function createPreset(db: Db, caller: Caller, given: CreateEventPreset): Promise<EventPreset> {
  const { deviceID, deviceGroupID } = given;
  if (deviceID && deviceGroupID) throw invalidField('deviceID', 'and deviceGroupID must not both be given');
  if (deviceID) await requireDevice(db, caller, 'write', deviceID);
  if (deviceGroupID) await requireCollection(db, caller, 'write', deviceGroupID);
  const owner = { deviceID: deviceID || null, deviceGroupID: deviceGroupID || null };
  return insertPreset(db, caller, owner, await presetRow(db, given));
}

async function presetRow(db: Db, given: EventPresetUpdate): Promise<PresetFields> {
  const type = given.eventType ? await requireEventType(db, given) : undefined;
  return {
    name: given.eventPresetName,
    agentTypeID: type ? type.agentTypeID : await agentTypeAlone(db, given.agentType),
    eventTypeID: type?.eventTypeID,
    eventParameters: given.eventParameters === undefined ? undefined : parametersText(given.eventParameters),
    priority: given.priority,
    maxAttempts: given.maxAttempts === undefined ? undefined : given.maxAttempts || 1,
    expirationEpoch: given.expirationEpoch,
  };
}

/** Of a preset that has no event type yet. */
async function agentTypeAlone(db: Db, name: string | undefined): Promise<number | undefined> {
  if (!name) return undefined;
  const agentTypeID = await findAgentTypeByName(db, name);
  if (agentTypeID === undefined) throw invalidField('agentType', 'names no agent type; see /v1/agenttype/list');
  return agentTypeID;
}

export async function updatePreset(db: Db, caller: Caller, presetID: number, update: EventPresetUpdate): Promise<void> {
  const preset = await requirePreset(db, caller, 'write', presetID);
  if (!update.eventType && update.agentType && preset.eventTypeID) {
    await requireEventType(db, { eventTypeID: preset.eventTypeID, agentType: update.agentType });
  }
  await changePreset(db, presetID, await presetRow(db, update));
}

export async function deletePreset(db: Db, caller: Caller, presetID: number): Promise<void> {
  await requirePreset(db, caller, 'write', presetID);
  await removePreset(db, presetID);
}

export async function findPresets(db: Db, caller: Caller, deviceID: number): Promise<EventPreset[]> {
  await requireDevice(db, caller, 'read', deviceID);
  return listPresetsOf(db, caller, deviceID);
}

/** Enqueues the preset for all devices in one transaction: all or none. */
export async function runPreset(
  { db, wakeups }: EventParts,
  caller: Caller,
  presetID: number,
  only: readonly number[] | undefined,
): Promise<Event[]> {
  const events = await inTransaction(db, async (tx) => {
    const preset = await requirePreset(tx, caller, 'write', presetID);
    const type = typeOfPreset(preset);
    if (!type) throw conflict('The preset has no event type. Set eventType before you run it.');
    const deviceIDs = await targetsOf(tx, caller, preset, only?.length ? only : undefined);
    return enqueueAll(tx, caller, deviceIDs, { ...preset, ...type });
  });
  db.afterCommit(() => wakeups.add(events.map(({ deviceID }) => deviceID)));
  return events;
}

async function targetsOf(
  tx: Db,
  caller: Caller,
  preset: EventPreset,
  only: readonly number[] | undefined,
): Promise<readonly number[]> {
  const members = await membersOf(tx, caller, preset, only);
  const others = (only ?? []).filter((key) => !members.some(({ deviceID }) => deviceID === key));
  if (others.length > 0)
    throw invalid([{ path: 'data', message: `names devices that do not belong to the preset: ${others.join(', ')}` }]);
  const chosen = only ? members.filter(({ deviceID }) => only.includes(deviceID)) : members;
  const denied = chosen.filter(({ mayWrite }) => !mayWrite).map(({ deviceID }) => deviceID);
  if (denied.length > 0) throw forbidden(`You may not send work to the devices ${denied.join(', ')}.`);
  return chosen.map(({ deviceID }) => deviceID);
}

async function membersOf(
  tx: Db,
  caller: Caller,
  { deviceID, deviceGroupID }: EventPreset,
  only: readonly number[] | undefined,
): Promise<readonly GroupMember[]> {
  if (deviceID) return [{ deviceID, mayWrite: true }];
  if (deviceGroupID) return listGroupDevices(tx, caller, deviceGroupID);
  if (only) return listNamedDevices(tx, caller, only);
  throw conflict('The preset has neither a device nor a group. Name the devices to run it on in data.');
}
