import type { Db, Fragment } from '../../platform/database/connect.ts';
import { recordChanges } from '../live/rules.ts';
import { changedColumns } from './columns.ts';

/* The one statement by which events change. What they may change to is said in transitions.ts, and nowhere else. */

/** Who brings a transition about; nobody, when the platform does. */
export interface Actor {
  readonly userID?: number | undefined;
  readonly agentID?: number | undefined;
  /** Under which take; when given, what is done counts only while that holds the event. */
  readonly takeID?: string | undefined;
}

interface Move {
  /** Selects the events to move as rows of `events e`, with a lock. */
  readonly choose: Fragment;
  readonly set: Fragment;
  /** As text of the statement: it is ours, and each value that is sent costs. */
  readonly cause: Fragment;
  readonly actor: Actor;
  /** Whether it can end an event, whose outcome is then to be posted where that was asked for. */
  readonly mayEnd?: boolean;
  /** Whether it gives events to a holder, instead of taking them from one. */
  readonly isTake?: boolean;
}

/** What the moved events leave an agent with: the last one that it took, and still holds. */
const freeAgents = (db: Db): Fragment => db`
  update agents a set current_event_id = (
    select h.key from events h
    where h.agent_id = a.key and h.event_status in (2, 3) and h.key not in (select key from moved)
    order by h.taken_date desc, h.key desc limit 1)
  from moved where a.key = moved.former_agent_id and moved.event_status not in (2, 3)`;

const occupyAgents = (db: Db): Fragment =>
  db`update agents a set current_event_id = moved.key from moved where a.key = moved.agent_id`;

/** In the statement that ends the event: an outcome is posted at least once, whatever dies right after. */
const postBack = (db: Db): Fragment => db`,
  posted as (
    insert into postbacks (event_id)
    select key from moved where event_status between 4 and 7 and postback_url is not null)`;

/** Moves the chosen events, writes their history, tells the live stream, and brings their agents up to date. */
export const move = (db: Db, { choose, set, cause, actor, mayEnd = false, isTake = false }: Move): Fragment => db`
  with chosen as (${choose}),
  moved as (
    update events e set ${set} from chosen where e.key = chosen.key
    returning ${changedColumns(db)}, chosen.event_status as from_status, chosen.agent_id as former_agent_id),
  noted as (
    insert into event_transitions (event_id, from_status, to_status, cause, attempt_number, user_id, agent_id, result)
    select key, from_status, event_status, ${cause}, attempt_number, ${actor.userID ?? null}::bigint,
      coalesce(${actor.agentID ?? null}::bigint, former_agent_id), result from moved
    where from_status <> event_status),
  concerned as (${isTake ? occupyAgents(db) : freeAgents(db)} returning a.key, a.device_id),
  logged as (${recordChanges(
    db,
    { kind: 'event', change: 'changed', rows: db`moved` },
    { kind: 'agent', change: 'changed', rows: db`concerned` },
  )})
  ${mayEnd ? postBack(db) : db``}`;
