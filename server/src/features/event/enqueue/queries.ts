import { ownerOnlyEventTypes } from '@earshot/contract/event-type';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { NewEvent } from './new-events.ts';
import type { Sender } from './owner-only.ts';
import { isOwnerOnlyType, requireSender } from './owner-only.ts';
import { recordActs } from '../../audit/public.ts';
import { eventColumns } from '../list/queries.ts';
import { eventColumnsOfChange } from '../transition/record-queries.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';

/** The names of the columns of new events, in order. */
const newEventColumns = (db: Db): Fragment => db`
  device_id, agent_type_id, event_type_id, server_event, event_parameters, priority, expiration_epoch, max_attempts,
  tag_string, tag_number, postback_url`;

/** One event as a row without arrays and ordinality. */
const eventRow = (db: Db, event: NewEvent): Fragment => db`
  (select ${event.deviceID}::bigint, ${event.agentTypeID}::bigint, ${event.eventTypeID}::bigint,
    ${event.serverEvent}::smallint, ${event.eventParameters}::text, ${event.priority}::bigint,
    ${event.expirationEpoch}::bigint, ${event.maxAttempts}::int, ${event.tagString}::text, ${event.tagNumber}::bigint,
    ${event.postbackURL ?? null}::text, 1)`;

/** Several events with their positions, in one statement for any number of them. */
function eventRows(db: Db, events: readonly NewEvent[]): Fragment {
  const column = (name: keyof NewEvent) => events.map((event) => event[name] ?? null) as never;
  return db`
    unnest(${column('deviceID')}::bigint[], ${column('agentTypeID')}::bigint[], ${column('eventTypeID')}::bigint[],
      ${column('serverEvent')}::smallint[], ${column('eventParameters')}::text[], ${column('priority')}::bigint[],
      ${column('expirationEpoch')}::bigint[], ${column('maxAttempts')}::int[], ${column('tagString')}::text[],
      ${column('tagNumber')}::bigint[], ${column('postbackURL')}::text[]) with ordinality`;
}

/** Part of the statement that adds events: those that only an owner may send are in the audit trail. */
function recordCommands(db: Db, events: readonly NewEvent[], actor: Sender): Fragment {
  const { userID } = actor;
  if (userID === undefined || !events.some(({ eventTypeID }) => isOwnerOnlyType(eventTypeID))) return db``;
  const commands = db`(
    select key, device_id from added where event_type_id = any(${ownerOnlyEventTypes as number[]}::bigint[]) order by key)`;
  return db`, told as (${recordActs(db, { ...actor, userID }, 'command-sent', commands)})`;
}

/** Enqueues the events in the given order: all or none. Throws if the actor may not send one of them (owner-only.ts). */
export async function enqueueEvents(db: Db, events: readonly NewEvent[], actor: Sender): Promise<StoredEvent[]> {
  await requireSender(db, events, actor);
  // Usually there is one event, which costs a fifth less without arrays and sorting.
  const [only] = events.length === 1 ? events : [];
  const inOrderOf = (column: Fragment) => (only ? db`` : db`order by ${column}`);
  return db<StoredEvent[]>`
    with added as (
      insert into events as e (${newEventColumns(db)}, created_by)
      select ${newEventColumns(db)}, ${actor.userID ?? null}::bigint
      from ${only ? eventRow(db, only) : eventRows(db, events)} as n (${newEventColumns(db)}, position)
      ${inOrderOf(db`n.position`)}
      returning ${eventColumnsOfChange(db)}),
    noted as (
      insert into event_transitions (event_id, to_status, cause, attempt_number, user_id)
      select key, event_status, 'enqueued', attempt_number, ${actor.userID ?? null}::bigint from added),
    logged as (${recordChanges(db, {
      kind: 'event',
      change: 'created',
      rows: db`(select key, device_id from added ${inOrderOf(db`key`)})`,
    })})
    ${recordCommands(db, events, actor)}
    select ${eventColumns(db)} from added e ${inOrderOf(db`e.key`)}`;
}
