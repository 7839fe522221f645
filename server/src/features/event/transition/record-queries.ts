import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';

/*
 * What every statement that moves events also writes: the history, the changes for the live stream, and the postbacks. A
 * statement names its parts so:
 *
 *   chosen   selects and locks the events to move: `key`, `event_status` and `agent_id` before the move
 *   moved    updates them `from chosen`, and returns `movedColumns`
 *   then     `recordMove`
 */

/** The user and take that cause a transition; empty if the platform causes it. */
export interface Actor {
  readonly userID?: number | undefined;
  /** If given, the transition happens only while this take holds the event. */
  readonly takeID?: string | undefined;
}

/** The columns of `events e` that a statement passes to its other parts. Kept few, because they cost time. */
export const eventColumnsOfChange = (db: Db): Fragment => db`
  e.key, e.device_id, e.agent_type_id, e.agent_id, e.event_type_id, e.server_event, e.event_status, e.event_parameters,
  e.process_id, e.result, e.percent_complete, e.priority, e.expiration_epoch, e.attempt_number, e.max_attempts,
  e.tag_string, e.tag_number, e.creation_date, e.postback_url`;

/** What `moved` returns: the events `e` after the move, and the state and holder that `chosen` found. */
export const movedColumns = (db: Db): Fragment => db`
  ${eventColumnsOfChange(db)}, chosen.event_status as from_status, chosen.agent_id as former_agent_id`;

interface Move {
  /** A literal in the statement: it never contains user input, and each parameter costs time. */
  readonly cause: Fragment;
  readonly actor: Actor;
  /** Whether the move can end an event, whose outcome must then be posted if it has a postback URL. */
  readonly mayEnd?: boolean;
  /** The agents whose current event changes. */
  readonly agents: ChangedAgents;
  /** The taking agent, for the history; other moves record the former holder. */
  readonly agent?: Fragment;
}

/*
 * The current event of an agent is computed from the events that it holds (features/agent/queries.ts). A move writes no
 * row of `agents`, so concurrent takes and reports of one agent do not wait for each other.
 */
type ChangedAgents = 'none' | 'taker' | 'former holder' | 'former holders';

const changedAgents: Readonly<Record<Exclude<ChangedAgents, 'none'>, (db: Db) => Fragment>> = {
  taker: (db) => db`(select agent_id as key, device_id from moved)`,
  'former holder': (db) => db`(select former_agent_id as key, device_id from moved where former_agent_id is not null)`,
  'former holders': (db) => db`
    (select distinct former_agent_id as key, device_id from moved where former_agent_id is not null)`,
};

/** Inserted by the statement that ends the event, so that its outcome is posted at least once, even after a crash. */
const postBack = (db: Db): Fragment => db`,
  posted as (
    insert into postbacks (event_id)
    select key from moved where event_status between 4 and 7 and postback_url is not null)`;

/** No move begins at an ended event. */
const outcomeOfMove = (db: Db): Fragment => db`case when r.event_status between 4 and 7 then 'ended' end`;

/** The parts of a statement after `moved`: history, changes of events and agents for the live stream, and postbacks. */
export const recordMove = (db: Db, { cause, actor, mayEnd, agents, agent }: Move): Fragment => db`
  noted as (
    insert into event_transitions (event_id, from_status, to_status, cause, attempt_number, user_id, agent_id, result)
    select key, from_status, event_status, ${cause}, attempt_number, ${actor.userID ?? null}::bigint,
      ${agent ?? db`former_agent_id`}, result from moved
    where from_status <> event_status),
  logged as (${recordChanges(
    db,
    { kind: 'event', change: 'changed', rows: db`moved`, ...(mayEnd ? { outcome: outcomeOfMove(db) } : {}) },
    ...(agents === 'none' ? [] : [{ kind: 'agent', change: 'changed', rows: changedAgents[agents](db) } as const]),
  )})
  ${mayEnd ? postBack(db) : db``}`;
