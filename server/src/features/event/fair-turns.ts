import type { Db, Fragment } from '../../platform/database/connect.ts';
import { isDue } from './due.ts';

/*
 * Whose work the platform's own worker does next. The highest priority comes first, as everywhere. Among events of the
 * same priority the owners of their devices take turns: each worker serves the owner after the one that it served last,
 * in the order of their keys, and that owner's oldest event. So one event waits behind at most one of each other owner,
 * however many those have.
 *
 * A worker keeps only the owner that it served last. Several workers need not agree: each is fair by itself, and locked
 * rows are passed by.
 */

export interface ServerKind {
  readonly eventTypeID: number;
}

export interface Turns {
  /** Only events with a priority above 0. */
  readonly onlyUrgent?: boolean;
  /** The owner that was served last. */
  readonly lastOwnerID?: number;
  /** Owners who have as much under way as they may. */
  readonly busyOwnerIDs?: ReadonlySet<number>;
}

export interface Turn {
  readonly priority: number;
  readonly ownerID: number;
}

/**
 * The owners who have events of the type to be done now, by priority, then in the order of their turns. It reads one
 * row of the index for each priority and owner, not one for each event.
 */
export async function findTurns(db: Db, { eventTypeID }: ServerKind, turns: Turns): Promise<readonly Turn[]> {
  const { onlyUrgent = false, lastOwnerID = 0, busyOwnerIDs = new Set() } = turns;
  const waiting = db`
    e.event_type_id = ${eventTypeID} and e.event_status = 1 and e.server_event = 1 and ${isDue(db)}
    ${onlyUrgent ? db`and e.priority > 0` : db``}`;
  const rows = await db<Turn[]>`
    with recursive turns as (
      (select e.priority, e.owner_id from events e where ${waiting}
       order by e.priority desc, e.owner_id limit 1)
      union all
      select next.priority, next.owner_id from turns t cross join lateral (
        (select e.priority, e.owner_id from events e
         where ${waiting} and e.priority = t.priority and e.owner_id > t.owner_id
         order by e.owner_id limit 1)
        union all
        (select e.priority, e.owner_id from events e where ${waiting} and e.priority < t.priority
         order by e.priority desc, e.owner_id limit 1)
        limit 1) next)
    select priority, owner_id as "ownerID" from turns
    order by priority desc, owner_id <= ${lastOwnerID}, owner_id`;
  return rows.filter(({ ownerID }) => !busyOwnerIDs.has(ownerID));
}

/** The oldest event of a turn, with a lock. */
export const chooseOfTurn = (db: Db, { eventTypeID }: ServerKind, turn: Turn): Fragment => db`
  select e.key, e.event_status, e.agent_id from events e
  where e.event_type_id = ${eventTypeID} and e.event_status = 1 and e.server_event = 1
    and e.priority = ${turn.priority} and e.owner_id = ${turn.ownerID} and ${isDue(db)}
  order by e.key limit 1 for no key update skip locked`;
