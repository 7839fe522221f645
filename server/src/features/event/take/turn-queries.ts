import type { Db } from '../../../platform/database/connect.ts';
import { isDue } from '../queries.ts';

/*
 * Chooses the next event for the platform's own worker. The highest priority comes first. Among events of the same
 * priority the owners of their devices take turns: each worker serves the owner after the one that it served last, in
 * the order of the owners' keys, and takes that owner's oldest event. So an event waits for at most one event of each
 * other owner, whatever the number of their events.
 *
 * A kind may have a priority whose events share the turns of the priority below: the owner's turn goes to one of these
 * events first, unless one of these had the owner's last turn and another waits.
 *
 * A worker remembers only the owner that it served last, and whose last turn was of that kind. Several workers need not coordinate: each is fair on its own,
 * and locked rows are skipped.
 */

export interface ServerKind {
  readonly eventTypeID: number;
  readonly aheadPriority?: number | undefined;
}

export interface Turns {
  /** Only events with a priority above 0. */
  readonly onlyUrgent?: boolean;
  /** Only the other events. */
  readonly onlyUsual?: boolean;
  /** The owner that was served last. */
  readonly lastOwnerID?: number;
  /** Owners who have reached their limit of running events. */
  readonly busyOwnerIDs?: ReadonlySet<number>;
  /** Owners whose last turn went to an event of `aheadPriority`. */
  readonly aheadOwnerIDs?: ReadonlySet<number>;
}

export interface Turn {
  readonly priority: number;
  readonly ownerID: number;
}

/**
 * The owners who have due events of the type, by priority, then in the order of their turns. Reads one row of the index
 * per priority and owner, not one per event.
 */
export async function findTurns(db: Db, kind: ServerKind, turns: Turns): Promise<readonly Turn[]> {
  const { onlyUrgent = false, onlyUsual = false, lastOwnerID = 0, busyOwnerIDs = new Set() } = turns;
  const { eventTypeID } = kind;
  const waiting = db`
    e.event_type_id = ${eventTypeID} and e.event_status = 1 and e.server_event = 1 and ${isDue(db)}
    ${onlyUrgent ? db`and e.priority > 0` : db``} ${onlyUsual ? db`and e.priority <= 0` : db``}`;
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
  return shareTurns(
    rows.filter(({ ownerID }) => !busyOwnerIDs.has(ownerID)),
    kind,
    turns,
  );
}

/** The priority whose turns events of this priority share. */
export const turnPriority = ({ aheadPriority }: ServerKind, priority: number): number =>
  priority === aheadPriority ? priority - 1 : priority;

/** The rows are sorted by priority, then in the order of the turns. */
function shareTurns(rows: readonly Turn[], kind: ServerKind, { lastOwnerID = 0, aheadOwnerIDs }: Turns) {
  if (!rows.some(({ priority }) => priority === kind.aheadPriority)) return rows;
  const isLater = ({ ownerID }: Turn) => Number(ownerID <= lastOwnerID);
  const hasTurnNow = ({ ownerID, priority }: Turn) =>
    Number((priority === kind.aheadPriority) !== (aheadOwnerIDs?.has(ownerID) ?? false));
  return rows.toSorted(
    (one, other) =>
      turnPriority(kind, other.priority) - turnPriority(kind, one.priority) ||
      isLater(one) - isLater(other) ||
      one.ownerID - other.ownerID ||
      hasTurnNow(other) - hasTurnNow(one),
  );
}
