import type { CreateEvent, EventFilter, EventTransition } from '@earshot/contract/event';
import type { EventReport } from '@earshot/contract/event-work';
import { eventStatus as status, eventStatusName, heldStatuses } from '@earshot/contract/event-status';
import { conflict, forbidden, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { StoredEvent } from '../../platform/events/stored-event.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { readDateRange } from '../../platform/date-range.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { explainDenial, requireDevice } from '../../access.ts';
import type { LockedEvent } from './queries.ts';
import type { EventTimes } from './take/lease-queries.ts';
import { selectEvents, selectEventsByKey } from './list/queries.ts';
import { listTransitions, lockEvent, lockToCancel } from './queries.ts';
import type { Actor } from './transition/record-queries.ts';
import { cancel, cancelPendingOfDevice } from './transition/queries.ts';
import type { Report, Reporter } from './transition/report-queries.ts';
import { complete, fail, recordProgress } from './transition/report-queries.ts';
import { requireDeviceNamed } from '../device/public.ts';
import type { CallingParts, EventParts } from './parts.ts';
import { enqueueAll } from './enqueue/enqueue.ts';
import { readEvent } from './read.ts';
import { requireCallableURL } from './enqueue/urls.ts';
import { requireEventType } from './type/names.ts';
import { sealSecrets } from './enqueue/secret-queries.ts';

export async function readHistory(db: Db, caller: Caller, eventID: number): Promise<EventTransition[]> {
  await readEvent(db, caller, eventID);
  return listTransitions(db, eventID);
}

export async function addEvent(parts: CallingParts, caller: Caller, given: CreateEvent): Promise<StoredEvent> {
  const { db, secretBox, wakeups } = parts;
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', given));
  await requireDevice(db, caller, 'write', deviceID);
  const { eventTypeID, agentTypeID } = await requireEventType(db, given);
  const postbackURL = given.postbackURL ? requireCallableURL(parts, 'postbackURL', given.postbackURL) : '';
  const enqueueOne = async (tx: Db) => {
    const [event] = await enqueueAll(tx, caller, [deviceID], { ...given, postbackURL, eventTypeID, agentTypeID });
    if (!event) throw new Error('an enqueued event was not returned');
    return event;
  };
  const event = postbackURL.includes('?')
    ? await inTransaction(db, async (tx) => {
        const enqueued = await enqueueOne(tx);
        await sealSecrets(tx, secretBox, enqueued.key, { postbackURL });
        return enqueued;
      })
    : await enqueueOne(db);
  db.afterCommit(() => wakeups.add([deviceID]));
  return event;
}

export async function stopEvent({ db }: EventParts, caller: Caller, eventID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = (await lockToCancel(tx, caller, eventID)) ?? (await refuseChange(tx, caller, eventID));
    if (!(await cancel(tx, eventID, caller))) throw ended(event);
  });
}

/** Cancels what waits for the device's agents, a batch at a time, so that no transaction holds thousands of rows. */
export async function clearPending({ db }: EventParts, caller: Caller, deviceID: number): Promise<StoredEvent[]> {
  await requireDevice(db, caller, 'write', deviceID);
  const cleared: number[] = [];
  for (;;) {
    const keys = await cancelPendingOfDevice(db, deviceID, clearedAtOnce, caller);
    cleared.push(...keys);
    if (keys.length < clearedAtOnce) return selectEventsByKey(db, caller, cleared);
  }
}

const clearedAtOnce = 500;

/** The event is not locked: locking it before the device, to which the new event refers, would break the order of locks. */
export async function endProcess({ db, wakeups }: EventParts, caller: Caller, eventID: number): Promise<StoredEvent> {
  const { deviceID, eventStatus, ...event } = await readEvent(db, caller, eventID);
  await requireDevice(db, caller, 'write', deviceID);
  if (event.serverEvent === 1) throw conflict('The platform itself processes this event. Cancel it instead.');
  if (!heldStatuses.includes(eventStatus)) {
    throw conflict(`No agent works on the event: it is ${eventStatusName(eventStatus)}.`);
  }
  const type = await requireEventType(db, { eventType: 'End_process' });
  const parameters = { eventID, ...(event.processID ? { processID: event.processID } : {}) };
  const [added] = await enqueueAll(db, caller, [deviceID], {
    ...type,
    eventParameters: JSON.stringify(parameters),
    priority: event.priority,
  });
  if (!added) throw new Error('an enqueued event was not returned');
  db.afterCommit(() => wakeups.add([deviceID]));
  return added;
}

/** For an event that the caller may not change. */
async function refuseChange(tx: Db, caller: Caller, eventID: number): Promise<never> {
  await readEvent(tx, caller, eventID);
  throw forbidden(explainDenial('device', 'write'));
}

const ended = ({ eventStatus }: LockedEvent) => conflict(`The event has ended: it is ${eventStatusName(eventStatus)}.`);

/** Accepts reports of the holder only, and none on an event that has ended. */
export async function acceptReport(
  { db, times }: EventParts,
  caller: Caller,
  eventID: number,
  takeID: string | undefined,
  given: EventReport,
): Promise<StoredEvent> {
  const { eventStatus = status.processing, processID: givenProcessID, ...report } = given;
  if (eventStatus < status.checkedOut || eventStatus > status.error) {
    throw invalidField('eventStatus', 'must be 3 (processing), 4 (complete) or 5 (error)');
  }
  const reporter: Reporter = { caller, processID: givenProcessID || null };
  const actor = { ...caller, ...(takeID === undefined ? {} : { takeID: normalUuid(takeID) }) };
  const apply = (anyDb: Db) => applyReport(anyDb, eventID, eventStatus, report, times, actor, reporter);
  // Nearly every report is by the holder and takes one statement. Otherwise the event is locked to find the reason.
  const moved = await apply(db);
  if (moved) return moved;
  return inTransaction(db, async (tx) => {
    const event = (await lockEvent(tx, caller, eventID)) ?? (await refuseChange(tx, caller, eventID));
    if (event.serverEvent === 1)
      throw conflict('The platform itself processes this event. You can cancel it, but not report on it.');
    requireHolder(event, actor.takeID, reporter.processID);
    if (event.eventStatus > status.processing) return requireSameEnd(event, eventStatus, report);
    // The failure of a former take, sent again because the response was lost.
    if (event.eventStatus === status.pending && eventStatus === status.error && takeID !== undefined) return event;
    const late = await apply(tx);
    if (!late) throw conflict('The event is pending again and has no holder. Take it before you report on it.');
    return late;
  });
}

function applyReport(
  db: Db,
  eventID: number,
  eventStatus: number,
  report: Report,
  times: EventTimes,
  actor: Actor,
  reporter: Reporter,
): Promise<StoredEvent | undefined> {
  if (eventStatus === status.complete) return complete(db, eventID, report, actor, reporter);
  if (eventStatus === status.error) return fail(db, eventID, report, times, actor, reporter);
  return recordProgress(db, eventID, report, times, actor, reporter);
}

function requireHolder(event: LockedEvent, takeID: string | undefined, processID: number | null): void {
  const isOtherTake = takeID !== undefined && takeID !== event.takeID;
  const isOtherProcess = takeID === undefined && processID !== null && (event.processID ?? processID) !== processID;
  if (isOtherTake || isOtherProcess) throw conflict('Another process has taken the event since and holds it.');
}

/** A final report that is sent again because the response was lost succeeds without a change. */
function requireSameEnd(event: LockedEvent, eventStatus: number, report: Report): StoredEvent {
  const isSame =
    eventStatus === event.eventStatus &&
    (report.result === undefined || (report.result ?? null) === (event.result ?? null));
  if (!isSame) throw ended(event);
  return event;
}

const normalUuid = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('-', '')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

export async function findEvents(db: Db, caller: Caller, given: EventFilter): Promise<StoredEvent[]> {
  const { deviceID, count, eventState: state } = given;
  const ascending = given.order?.toLowerCase() === 'asc';
  const events = await selectEvents(db, caller, { deviceID, state, count, ascending, ...readDateRange(given) });
  if (events.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return events;
}
