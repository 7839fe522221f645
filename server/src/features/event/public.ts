import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import type { NewEvent } from './new-events.ts';
import type { Sender } from './owner-only.ts';
import { isOwnerOnlyType, requireSender } from './owner-only.ts';
import type { CreateEvent, Event } from '@earshot/contract/event';
import { eventRows, newEventColumns, eventRow } from './new-events.ts';
import { movedEventColumns } from './columns.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { EventTimes } from './leases.ts';
import type { WaitingRoom } from './waiting-room.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { callableURL } from '../../platform/outbound/outbound.ts';
import { invalid, invalidField, notFound } from '../../errors.ts';
import type { Histogram } from '../../platform/http/door/metrics.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { EventSecrets } from './secrets.ts';
import { joiningType, purposeOf } from './secrets.ts';
import { deviceRight } from '../../access.ts';
import type { FoundEventType } from './type-queries.ts';
import { findEventType } from './type-queries.ts';
import { cancelAllUntaken } from './untaken.ts';
import { findAgentTypeByName } from '../agent/public.ts';

/** An event as the contract shows it, over the alias e. An expiration of 0 means "never". */
export const eventColumns = (db: Db): Fragment => db`
  e.key, e.device_id as "deviceID", e.agent_type_id as "agentTypeID", e.agent_id as "agentID",
  e.event_type_id as "eventTypeID", e.server_event as "serverEvent", e.event_status as "eventStatus",
  e.event_parameters as "eventParameters", e.process_id as "processID", e.result,
  e.percent_complete as "percentComplete", e.priority, e.expiration_epoch as "expirationEpoch",
  e.attempt_number as "attemptNumber", e.max_attempts as "maxAttempts", e.tag_string as "tagString",
  e.tag_number as "tagNumber", e.creation_date as "creationDate"`;

export interface Wakeups {
  /** Called after the commit, because polls for these devices may be waiting on some node. */
  add(deviceIDs: readonly number[]): void;
}

/** Whether only the owner of a device and admins may send events of this type to it. */
export const isForOwner = (eventTypeID: number): boolean => isOwnerOnlyType(eventTypeID);

/** Enqueues the events in the given order: all or none. Throws if the actor may not send one of them (owner-only.ts). */
export async function enqueueEvents(db: Db, events: readonly NewEvent[], actor: Sender): Promise<Event[]> {
  await requireSender(db, events, actor);
  // Usually there is one event, which costs a fifth less without arrays and sorting.
  const [only] = events.length === 1 ? events : [];
  const inOrderOf = (column: Fragment) => (only ? db`` : db`order by ${column}`);
  return db<Event[]>`
    with added as (
      insert into events as e (${newEventColumns(db)}, created_by)
      select ${newEventColumns(db)}, ${actor.userID ?? null}::bigint
      from ${only ? eventRow(db, only) : eventRows(db, events)} as n (${newEventColumns(db)}, position)
      ${inOrderOf(db`n.position`)}
      returning ${movedEventColumns(db)}),
    noted as (
      insert into event_transitions (event_id, to_status, cause, attempt_number, user_id)
      select key, event_status, 'enqueued', attempt_number, ${actor.userID ?? null}::bigint from added),
    logged as (${recordChanges(db, {
      kind: 'event',
      change: 'created',
      rows: db`(select key, device_id from added ${inOrderOf(db`key`)})`,
    })})
    select ${eventColumns(db)} from added e ${inOrderOf(db`e.key`)}`;
}

/**
 * Enqueues the given events again, in order: the same work, without the expiration. Secrets are bound to their event, so
 * they are encrypted again for the copies.
 */
export async function enqueueCopies(
  tx: Db,
  box: SecretBox,
  eventIDs: readonly number[],
  actor: Sender,
): Promise<readonly Event[]> {
  if (eventIDs.length === 0) return [];
  const originals = await tx<(NewEvent & { key: number; sealed: Buffer | null })[]>`
    select e.key, e.device_id as "deviceID", e.agent_type_id as "agentTypeID", e.event_type_id as "eventTypeID",
      e.server_event as "serverEvent", e.event_parameters as "eventParameters", e.priority, 0 as "expirationEpoch",
      e.max_attempts as "maxAttempts", e.tag_string as "tagString", e.tag_number as "tagNumber",
      e.postback_url as "postbackURL", s.sealed
    from events e left join event_secrets s on s.event_id = e.key
    where e.key = any(${eventIDs as number[]}::bigint[]) order by e.key`;
  const copies = await enqueueEvents(tx, originals, actor);
  for (const [place, { key, sealed }] of originals.entries()) {
    if (sealed) await sealSecrets(tx, box, copies[place]?.key ?? 0, openSecrets(box, key, sealed));
  }
  return copies;
}

/** Cancels those of the events that no agent has taken yet, and returns their keys. Checks no right. */
export const cancelUntaken = (tx: Db, eventIDs: readonly number[], actor: Sender): Promise<readonly number[]> =>
  eventIDs.length === 0 ? Promise.resolve([]) : cancelAllUntaken(tx, eventIDs, actor);

export interface EventParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
  readonly times: EventTimes;
  /** How long a long poll waits for an event. */
  readonly longPollSeconds: number;
  readonly room: WaitingRoom;
  readonly wakeups: Wakeups;
  /** From the creation of an event to the answer of the long poll that waited for it. */
  readonly wakeupTime: Histogram;
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

/** A URL that a device will call. It may be in the device's local network. */
export const requireURL = (field: string, given: string): string => readURL(field, given, callableURL);

/** A URL that the platform will call. Rejects it if its text shows that its address is not public. */
export const requireCallableURL = ({ outbound }: Pick<CallingParts, 'outbound'>, field: string, given: string) =>
  readURL(field, given, (url) => outbound.checkText(url));

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

/** The part of a URL that every reader may see. */
export function withoutQuery(url: string): string {
  const shown = new URL(url);
  shown.search = '';
  shown.hash = '';
  return shown.href;
}

/** Called in the transaction that enqueues the event. */
export async function sealSecrets(tx: Db, box: SecretBox, eventID: number, secrets: EventSecrets): Promise<void> {
  const sealed = box.seal(JSON.stringify(secrets), purposeOf(eventID));
  await tx`insert into event_secrets (event_id, sealed) values (${eventID}, ${sealed})`;
}

export const openSecrets = (box: SecretBox, eventID: number, sealed: Uint8Array): EventSecrets =>
  JSON.parse(box.open(sealed, purposeOf(eventID))) as EventSecrets;

/** The event as its holder sees it. */
export async function withSecrets(db: Db, box: SecretBox, event: Event): Promise<Event> {
  if (event.eventTypeID !== joiningType) return event;
  const eventID = event.key ?? 0;
  const [row] = await db<{ sealed: Buffer }[]>`select sealed from event_secrets where event_id = ${eventID}`;
  const { eventParameters } = row ? openSecrets(box, eventID, row.sealed) : {};
  return eventParameters === undefined ? event : { ...event, eventParameters };
}

export type EventTemplate = Pick<
  CreateEvent,
  'eventParameters' | 'priority' | 'expirationEpoch' | 'maxAttempts' | 'tagString' | 'tagNumber' | 'postbackURL'
>;

export async function findEvent(db: Db, caller: Caller, eventID: number): Promise<Event | undefined> {
  const [row] = await db<Event[]>`
    select ${eventColumns(db)} from events e join devices d on d.key = e.device_id
    where e.key = ${eventID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

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

export function readURL(field: string, given: string, read: (url: string) => URL): string {
  try {
    return read(given).href;
  } catch (error) {
    throw invalidField(field, `cannot be called: ${(error as Error).message}`);
  }
}

export interface TypeNames {
  readonly eventType?: string | undefined;
  readonly eventTypeID?: number | undefined;
  readonly agentType?: string | undefined;
  readonly agentTypeID?: number | undefined;
}

/** Finds the event type by name or id. A given agent type must be the one of the event type. */
export async function requireEventType(db: Db, names: TypeNames): Promise<FoundEventType> {
  const { eventType, eventTypeID } = names;
  if (!eventType && !eventTypeID) throw invalidField('eventType', 'or eventTypeID is required');
  const found = await findEventType(db, eventType ? { name: eventType } : { key: eventTypeID ?? 0 });
  if (!found)
    throw invalidField(eventType ? 'eventType' : 'eventTypeID', 'names no event type; see /v1/eventtype/list');
  const agentTypeID = names.agentType ? await findAgentTypeByName(db, names.agentType) : names.agentTypeID || undefined;
  if (names.agentType && agentTypeID === undefined) throw invalidField('agentType', 'names no agent type');
  if (agentTypeID !== undefined && agentTypeID !== found.agentTypeID) {
    const path = names.agentType ? 'agentType' : 'agentTypeID';
    throw invalid([{ path, message: `does not belong to the event type ${found.eventType}` }]);
  }
  return found;
}
