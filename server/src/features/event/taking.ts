import type { Event } from '@earshot/contract/event';
import { conflict, invalidField, notFound } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../access/rules.ts';
import type { AgentContact } from '../agent/rules.ts';
import { contactAgent, heardAgent, lockedAgent } from '../agent/rules.ts';
import { findAgentTypeByName } from '../agent-type/rules.ts';
import type { DeviceNames } from '../device/rules.ts';
import { requireDeviceNamed } from '../device/rules.ts';
import { isRenewedByContact, renewLeases } from './leases.ts';
import { findEventByTake, findNextPending, recordPoll } from './queries.ts';
import type { EventParts } from './rules.ts';
import { reveal } from './secrets.ts';
import type { Taker } from './takes.ts';
import { take, takeAgain } from './takes.ts';

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
  const { db } = parts;
  const deviceID = await requireDeviceNamed(db, caller, 'read', names);
  await requireDevice(db, caller, 'write', deviceID);
  const agentTypeID = await requireAgentType(db, names.agentType);
  const contact = { deviceID, agentTypeID, agentIndex: names.agentIndex, processID: names.processID || undefined };
  const event = await takeOnce(parts, caller, contact, takeID ?? null);
  return event && reveal(db, parts.secretBox, event);
}

/** A take id that was used before takes the same event: at most one event has it, as an index ensures. */
async function takeOnce(
  { db, times }: EventParts,
  caller: Caller,
  contact: AgentContact,
  takeID: string | null,
): Promise<Event | undefined> {
  const { deviceID, agentTypeID, processID } = contact;
  const taker = { deviceID, agentTypeID, processID: processID ?? null, takeID };
  const former = takeID === null ? undefined : await findEventByTake(db, deviceID, takeID);
  // Nearly every take is the first of its id, and of an agent that was heard from a moment ago: one statement.
  const heard: Taker = { ...taker, agent: heardAgent(db, contact), renews: !isRenewedByContact(times, processID) };
  const first = former ? undefined : await take(db, heard, times, caller).catch(ignoreUsedTake);
  if (first?.agentID !== undefined) return first.event;

  const agentID = (await contactAgent(db, caller, contact)) ?? refuseGone(deviceID);
  const locked: Taker = { ...taker, agent: lockedAgent(db, agentID), renews: true };
  const used = takeID === null ? undefined : await findEventByTake(db, deviceID, takeID);
  if (!used) return (await take(db, locked, times, caller)).event;
  if (used.agentTypeID !== agentTypeID || (used.agentID ?? agentID) !== agentID) throw sharedTake();
  if (used.eventStatus === 1) {
    const again = await takeAgain(db, used.key ?? 0, locked, times, caller);
    if (again) return again;
  }
  await renewLeases(db, times, agentID, processID);
  // Read again: a repetition of this request may have taken it a moment ago. One that waits for its delay is not taken.
  const now = await findEventByTake(db, deviceID, takeID ?? '');
  return now?.eventStatus === 1 ? undefined : now;
}

const sharedTake = () => conflict('Another agent of the device has used this take id.');

/** Another request with the same take id may have been faster; what it took is looked for then. */
function ignoreUsedTake(error: unknown): undefined {
  if ((error as { constraint?: string }).constraint !== 'events_by_take') throw error;
  return undefined;
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
