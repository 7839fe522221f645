import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { StoredEvent } from '../../../platform/events/stored-event.ts';
import type { NewEvent } from './new-events.ts';
import { eventRows, newEventColumns, eventRow } from './new-events.ts';
import type { Sender } from './owner-only.ts';
import { requireSender } from './owner-only.ts';
import { movedEventColumns, eventColumns } from '../columns.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';

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
