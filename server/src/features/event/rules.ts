import type { CreateEvent, Event, EventFilter, EventTransition } from '@earshot/contract/event';
import type { EventReport } from '@earshot/contract/event-work';
import { eventStatus as status, eventStatusName } from '@earshot/contract/event-status';
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { readDateRange } from '../../platform/date-range.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { callableURL } from '../../platform/outbound/outbound.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { explainDenial, requireDevice } from '../access/rules.ts';
import { requireDeviceNamed } from '../device/rules.ts';
import { requireEventType } from '../event-type/rules.ts';
import type { LockedEvent } from './queries.ts';
import type { EventTimes } from './leases.ts';
import { listEvents } from './list-queries.ts';
import { findEvent, listTransitions, lockEvent } from './queries.ts';
import { sealSecrets, withoutQuery } from './secrets.ts';
import type { Actor } from './move.ts';
import type { NewEvent } from './new-events.ts';
import type { Report, Reporter } from './transitions.ts';
import { cancel, complete, enqueueEvents, fail, proceed } from './transitions.ts';
import type { WaitingRoom } from './waiting-room.ts';
import type { Wakeups } from './wakeups.ts';


export interface EventParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
  readonly times: EventTimes;
  /** How long a long poll waits for an event. */
  readonly longPollSeconds: number;
  readonly room: WaitingRoom;
  readonly wakeups: Wakeups;
}

/** For functions that enqueue events with a postback. */
export interface CallingParts extends EventParts {
  readonly outbound: Pick<Outbound, 'checkText'>;
}

export async function readEvent(db: Db, caller: Caller, eventID: number): Promise<Event> {
  const event = await findEvent(db, caller, eventID);
  if (!event) throw notFound('event', eventID);
  return event;
}

export async function readHistory(db: Db, caller: Caller, eventID: number): Promise<EventTransition[]> {
  await readEvent(db, caller, eventID);
  return listTransitions(db, eventID);
}

type EventTemplate = Pick<
  CreateEvent,
  'eventParameters' | 'priority' | 'expirationEpoch' | 'maxAttempts' | 'tagString' | 'tagNumber' | 'postbackURL'
>;

/** The stored fields of an event, except its device and type. */
export function eventContent(given: EventTemplate) {
  return {
    eventParameters: parametersText(given.eventParameters),
    priority: given.priority ?? 0,
    expirationEpoch: given.expirationEpoch ?? 0,
    maxAttempts: given.maxAttempts || 1,
    tagString: given.tagString ?? null,
    tagNumber: given.tagNumber ?? null,
    // The query part is stored separately: see secrets.ts.
    postbackURL: given.postbackURL ? withoutQuery(given.postbackURL) : null,
  } satisfies Partial<NewEvent>;
}

/** A URL that a device will call. It may be in the device's local network. */
export const requireURL = (field: string, given: string): string => readURL(field, given, callableURL);

/** A URL that the platform will call. Rejects it if its text shows that its address is not public. */
export const requireCallableURL = ({ outbound }: Pick<CallingParts, 'outbound'>, field: string, given: string) =>
  readURL(field, given, (url) => outbound.checkText(url));

function readURL(field: string, given: string, read: (url: string) => URL): string {
  try {
    return read(given).href;
  } catch (error) {
    throw invalidField(field, `cannot be called: ${(error as Error).message}`);
  }
}

/** Returns the text of a JSON object. */
export function parametersText(given: string | undefined): string {
  if (given === undefined || given.trim() === '') return '{}';
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    value = undefined;
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return given;
  throw invalidField('eventParameters', 'must be the text of a JSON object, such as {"delay":5}');
}

/** Enqueues one event per device, all or none. After the commit the caller wakes the waiting polls. */
export function enqueueAll(
  db: Db,
  caller: Caller,
  deviceIDs: readonly number[],
  template: EventTemplate & { eventTypeID?: number; agentTypeID?: number },
  serverEvent: 0 | 1 = 0,
): Promise<Event[]> {
  const { eventTypeID = 0, agentTypeID = 0 } = template;
  const content = eventContent(template);
  const events = deviceIDs.map((deviceID) => ({
    deviceID,
    eventTypeID,
    agentTypeID,
    serverEvent,
    ...content,
  }));
  return enqueueEvents(db, events, caller);
}

export async function createEvent(parts: CallingParts, caller: Caller, given: CreateEvent): Promise<Event> {
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
        await sealSecrets(tx, secretBox, enqueued.key ?? 0, { postbackURL });
        return enqueued;
      })
    : await enqueueOne(db);
  wakeups.add([deviceID]);
  return event;
}

export async function cancelEvent({ db }: EventParts, caller: Caller, eventID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    const event = await requireLocked(tx, caller, eventID);
    if (!(await cancel(tx, eventID, caller))) throw ended(event);
  });
}

async function requireLocked(tx: Db, caller: Caller, eventID: number): Promise<LockedEvent> {
  const event = await lockEvent(tx, caller, 'write', eventID);
  if (event) return event;
  await readEvent(tx, caller, eventID);
  throw forbidden(explainDenial('device', 'write'));
}

const ended = ({ eventStatus }: LockedEvent) => conflict(`The event has ended: it is ${eventStatusName(eventStatus)}.`);

/** Accepts reports of the holder only, and none on an event that has ended. */
export async function reportEvent(
  { db, times }: EventParts,
  caller: Caller,
  eventID: number,
  takeID: string | undefined,
  given: EventReport,
): Promise<Event> {
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
    const event = await requireLocked(tx, caller, eventID);
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
): Promise<Event | undefined> {
  if (eventStatus === status.complete) return complete(db, eventID, report, actor, reporter);
  if (eventStatus === status.error) return fail(db, eventID, report, times, actor, reporter);
  return proceed(db, eventID, report, times, actor, reporter);
}

function requireHolder(event: LockedEvent, takeID: string | undefined, processID: number | null): void {
  const isOtherTake = takeID !== undefined && takeID !== event.takeID;
  const isOtherProcess = takeID === undefined && processID !== null && (event.processID ?? processID) !== processID;
  if (isOtherTake || isOtherProcess) throw conflict('Another process has taken the event since and holds it.');
}

/** A final report that is sent again because the response was lost succeeds without a change. */
function requireSameEnd(event: LockedEvent, eventStatus: number, report: Report): Event {
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

export async function findEvents(db: Db, caller: Caller, given: EventFilter): Promise<Event[]> {
  const { deviceID, count, eventState: state } = given;
  const ascending = given.order?.toLowerCase() === 'asc';
  const events = await listEvents(db, caller, { deviceID, state, count, ascending, ...readDateRange(given) });
  if (events.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return events;
}
