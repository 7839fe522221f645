import { conflict, invalidField, notFound } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { isRenewedByContact, renewLeases } from './lease-queries.ts';
import { findEventByTake, findNextPending } from '../queries.ts';
import type { Taker } from './queries.ts';
import { take, takeAgain } from './queries.ts';
import type { AgentContact } from '../../agent/public.ts';
import { contactAgent, findAgentTypeByName, recentAgent, lockedAgent } from '../../agent/public.ts';
import type { DeviceNames } from '../../device/public.ts';
import { recordPoll, requireReadableDevice, requireReportingDevice } from '../../device/public.ts';
import type { EventParts } from '../parts.ts';
import { withSecrets } from '../enqueue/secret-queries.ts';

export interface AgentNames extends DeviceNames {
  readonly agentType: string;
  readonly agentIndex?: number | undefined;
  readonly processID?: number | undefined;
}

/** Takes the next event for an agent, which need not be registered. The same take id takes the same event. */
export async function takeNextEvent(
  parts: EventParts,
  caller: Caller,
  names: AgentNames,
  takeID: string | undefined,
): Promise<StoredEvent | undefined> {
  const { db } = parts;
  const deviceID = await requireReportingDevice(db, caller, names);
  const agentTypeID = await requireAgentType(db, names.agentType);
  const contact = { deviceID, agentTypeID, agentIndex: names.agentIndex, processID: names.processID || undefined };
  const event = await takeOnce(parts, caller, contact, takeID ?? null);
  return event && withSecrets(db, parts.secretBox, event);
}

/** A take id that was used before takes the same event: a unique index ensures that at most one event has it. */
async function takeOnce(
  { db, times }: EventParts,
  caller: Caller,
  contact: AgentContact,
  takeID: string | null,
): Promise<StoredEvent | undefined> {
  const { deviceID, agentTypeID, processID } = contact;
  const taker = { deviceID, agentTypeID, processID: processID ?? null, takeID };
  const former = takeID === null ? undefined : await findEventByTake(db, deviceID, takeID);
  // Nearly every take has a new id and is by an agent with recent contact: then one statement suffices.
  const recent: Taker = { ...taker, agent: recentAgent(db, contact), renews: !isRenewedByContact(times, processID) };
  const first = former ? undefined : await take(db, recent, times, caller).catch(ignoreUsedTake);
  if (first?.agentID !== undefined) return first.event;

  const agentID = (await contactAgent(db, caller, contact)) ?? throwDeviceNotFound(deviceID);
  const locked: Taker = { ...taker, agent: lockedAgent(db, agentID), renews: true };
  const findUsed = () => (takeID === null ? undefined : findEventByTake(db, deviceID, takeID));
  let used = await findUsed();
  if (!used) {
    const taken = await take(db, locked, times, caller).catch(ignoreUsedTake);
    if (taken) return taken.event;
    // The event of the concurrent request; none if that was removed since.
    used = await findUsed();
    if (!used) return (await take(db, locked, times, caller)).event;
  }
  if (used.agentTypeID !== agentTypeID || (used.agentID ?? agentID) !== agentID) throw sharedTake();
  if (used.eventStatus === 1) {
    const again = await takeAgain(db, used.key, locked, times, caller);
    if (again) return again;
  }
  await renewLeases(db, times, agentID, processID);
  // Read again, because a concurrent repetition may have taken it. An event that waits for its delay is not taken.
  const now = await findEventByTake(db, deviceID, takeID ?? '');
  return now?.eventStatus === 1 ? undefined : now;
}

const sharedTake = () => conflict('Another agent of this device has used this take id. Use a new one.');

/** If a concurrent request used the same take id first, the caller looks for the event that it took. */
function ignoreUsedTake(error: unknown): undefined {
  if ((error as { constraint?: string }).constraint !== 'events_by_take') throw error;
  return undefined;
}

function throwDeviceNotFound(deviceID: number): never {
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

/**
 * The next event of a device. A poll that names its agent counts as contact of the agent, any other as contact of the
 * device. Contact is writing: the poll of a caller who may only read the device records nothing.
 */
export async function pollEvents(
  parts: EventParts,
  caller: Caller,
  poll: Poll,
  isLong: boolean,
): Promise<StoredEvent[]> {
  const { db, room } = parts;
  const { deviceID, mayWrite } = await requireReadableDevice(db, caller, poll);
  const agentTypeID = poll.agentType ? await requireAgentType(db, poll.agentType) : undefined;
  if (mayWrite) await recordContact(parts, caller, poll, deviceID, agentTypeID);
  const deadlineMs = performance.now() + parts.longPollSeconds * 1000;
  let isWoken = false;
  for (;;) {
    // Registered before the query, so that an event that is added in between wakes the poll.
    const stay = isLong ? room.enter(deviceID, { userID: caller.userID, isContact: mayWrite, deadlineMs }) : undefined;
    try {
      const events = await findNextPending(db, caller, { deviceID, agentTypeID });
      if (isWoken) measureWakeup(parts, events);
      if (events.length > 0 || !stay || performance.now() >= deadlineMs) return events;
      if ((await stay.outcome) !== 'woken') return [];
      isWoken = true;
    } finally {
      stay?.leave();
    }
  }
}

/** Only for events that were never tried: the others were created long before they became due. */
function measureWakeup({ wakeupTime }: EventParts, [event]: readonly StoredEvent[]): void {
  if (!event || event.attemptNumber > 0) return;
  wakeupTime.observe(Math.max(0, Date.now() - new Date(event.creationDate).getTime()) / 1000);
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
  const agentID = (await contactAgent(db, caller, contact)) ?? throwDeviceNotFound(deviceID);
  await renewLeases(db, times, agentID);
}
