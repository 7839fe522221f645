import type { Event } from '@earshot/contract/event';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../access/rules.ts';
import { contactAgent } from '../agent/rules.ts';
import { findAgentTypeByName } from '../agent-type/rules.ts';
import type { DeviceNames } from '../device/rules.ts';
import { requireDeviceNamed } from '../device/rules.ts';
import { renewLeases } from './leases.ts';
import { findEventByTake, findNextPending, recordPoll } from './queries.ts';
import type { EventParts } from './rules.ts';
import { reveal } from './secrets.ts';
import type { EventTimes, Taker } from './transitions.ts';
import { take, takeAgain } from './transitions.ts';

export interface AgentNames extends DeviceNames {
  readonly agentType: string;
  readonly agentIndex?: number | undefined;
  readonly processID?: number | undefined;
}

/** Takes the next event for an agent, which need not have registered. The same take id takes the same event. */
export async function dequeueEvent(
  parts: EventParts,
  caller: Caller,
  names: AgentNames,
  takeID: string | undefined,
): Promise<Event | undefined> {
  const { db, times } = parts;
  const deviceID = await requireDeviceNamed(db, caller, 'read', names);
  await requireDevice(db, caller, 'write', deviceID);
  const agentTypeID = await requireAgentType(db, names.agentType);
  const processID = names.processID || undefined;
  const contact = { deviceID, agentTypeID, agentIndex: names.agentIndex, processID };
  const agentID = (await contactAgent(db, caller, contact)) ?? refuseGone(deviceID);
  const taker = { deviceID, agentTypeID, agentID, processID: processID ?? null, takeID: takeID ?? null };
  const event = await takeOnce(db, taker, times, caller);
  return event && reveal(db, parts.secretBox, event);
}

/** A take id that was used before takes the same event: at most one event has it, as an index ensures. */
async function takeOnce(db: Db, taker: Taker, times: EventTimes, caller: Caller): Promise<Event | undefined> {
  const { deviceID, agentTypeID, agentID, takeID } = taker;
  const former = takeID === null ? undefined : await findEventByTake(db, deviceID, takeID);
  if (!former) return take(db, taker, times, caller).catch((error: unknown) => takeShared(error, db, taker));
  if (former.agentTypeID !== agentTypeID || (former.agentID ?? agentID) !== agentID) throw sharedTake();
  if (former.eventStatus !== 1) {
    await renewLeases(db, times, agentID, taker.processID ?? undefined);
    return former;
  }
  // Taken meanwhile under the same id, by a repetition of this very request: the event as it is now.
  return (await takeAgain(db, former.key ?? 0, taker, times, caller)) ?? findEventByTake(db, deviceID, takeID ?? '');
}

const sharedTake = () => conflict('Another agent of the device has used this take id.');

/** Two requests with one take id at the same moment: the later one gets what the earlier one took, when both are of one agent. */
async function takeShared(error: unknown, db: Db, { deviceID, agentID, takeID }: Taker): Promise<Event | undefined> {
  if ((error as { constraint_name?: string }).constraint_name !== 'events_by_take') throw error;
  const taken = await findEventByTake(db, deviceID, takeID ?? '');
  if (taken?.agentID !== agentID) throw sharedTake();
  return taken;
}

function refuseGone(deviceID: number): never {
  throw notFound('device', deviceID);
}

async function requireAgentType(db: Db, name: string): Promise<number> {
  const agentTypeID = await findAgentTypeByName(db, name);
  if (agentTypeID === undefined) throw invalidField('agentType', 'names no agent type; see /v1/agenttype/list');
  return agentTypeID;
}

export interface Poll extends DeviceNames {
  readonly agentType?: string | undefined;
  readonly agentIndex?: number | undefined;
}

/** What is next for a device. A poll that names its agent is contact with it, any other with the device alone. */
export async function pollEvents(parts: EventParts, caller: Caller, poll: Poll, isLong: boolean): Promise<Event[]> {
  const { db, room } = parts;
  const deviceID = await requireDeviceNamed(db, caller, 'read', poll);
  const agentTypeID = poll.agentType ? await requireAgentType(db, poll.agentType) : undefined;
  await recordContact(parts, caller, poll, deviceID, agentTypeID);
  const deadlineMs = performance.now() + parts.longPollSeconds * 1000;
  for (;;) {
    // Entered before the look, so that what comes in between is not missed.
    const stay = isLong ? room.enter(deviceID, caller.userID, deadlineMs) : undefined;
    try {
      const events = await findNextPending(db, caller, { deviceID, agentTypeID });
      if (events.length > 0 || !stay || performance.now() >= deadlineMs) return events;
      if ((await stay.outcome) !== 'woken') return [];
    } finally {
      stay?.leave();
    }
  }
}

async function recordContact(
  { db, times }: EventParts,
  caller: Caller,
  poll: Poll,
  deviceID: number,
  agentTypeID: number | undefined,
): Promise<void> {
  if (agentTypeID === undefined) return recordPoll(db, deviceID);
  const contact = { deviceID, agentTypeID, agentIndex: poll.agentIndex, processID: undefined };
  const agentID = (await contactAgent(db, caller, contact)) ?? refuseGone(deviceID);
  await renewLeases(db, times, agentID);
}
