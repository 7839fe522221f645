import type { Event } from '@earshot/contract/event';
import { conflict, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireDevice } from '../access/rules.ts';
import { contactAgent } from '../agent/rules.ts';
import { findAgentTypeByName } from '../agent-type/rules.ts';
import type { DeviceNames } from '../device/rules.ts';
import { requireDeviceNamed } from '../device/rules.ts';
import { findEventByTake, findNextPending, recordPolls, renewLeases } from './queries.ts';
import type { EventParts } from './rules.ts';
import { reveal } from './secrets.ts';
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
  const event = await inTransaction(db, async (tx) => {
    const contact = { deviceID, agentTypeID, agentIndex: names.agentIndex ?? 0, processID: names.processID };
    const agentID = await contactAgent(tx, caller, contact);
    await renewLeases(tx, agentID, times.leaseSeconds, names.processID);
    const taker = { deviceID, agentTypeID, agentID, processID: names.processID ?? null, takeID: takeID ?? null };
    const former = takeID === undefined ? undefined : await findEventByTake(tx, deviceID, takeID);
    if (!former) return take(tx, taker, times, caller).catch(refuseSharedTake);
    if (former.agentTypeID !== agentTypeID || (former.agentID ?? agentID) !== agentID) throw sharedTake();
    if (former.eventStatus !== 1) return former;
    return takeAgain(tx, former.key ?? 0, taker, times, caller);
  });
  return event && reveal(db, parts.secretBox, event);
}

const sharedTake = () => conflict('Another agent of the device has used this take id.');

/** The other agent may have done so in this very moment; the table tells. */
function refuseSharedTake(error: unknown): never {
  throw (error as { constraint_name?: string }).constraint_name === 'events_by_take' ? sharedTake() : error;
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
  if (agentTypeID === undefined) return recordPolls(db, [deviceID]);
  const agentID = await contactAgent(db, caller, {
    deviceID,
    agentTypeID,
    agentIndex: poll.agentIndex ?? 0,
    processID: undefined,
  });
  await renewLeases(db, agentID, times.leaseSeconds);
}
