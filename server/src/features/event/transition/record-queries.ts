import type { Db, Fragment } from '../../../platform/database/connect.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import { movedEventColumns } from '../columns.ts';

/* The only statement that changes events. queries.ts defines which changes are allowed. */

/** The user and take that cause a transition; empty if the platform causes it. */
export interface Actor {
  readonly userID?: number | undefined;
  /** If given, the transition happens only while this take holds the event. */
  readonly takeID?: string | undefined;
}

interface Move {
  /** Selects and locks the events to move, as rows of `events e`. */
  readonly choose: Fragment;
  readonly set: Fragment;
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

/**
 * The parts of a statement, to be used after `with`, that move the chosen events, write their history, and record the
 * changes of events and agents for the live stream.
 */
export const move = (db: Db, { choose, set, cause, actor, mayEnd, agents, agent }: Move): Fragment => db`
  chosen as (${choose}),
  moved as (
    update events e set ${set} from chosen where e.key = chosen.key
    returning ${movedEventColumns(db)}, chosen.event_status as from_status, chosen.agent_id as former_agent_id),
  noted as (
    insert into event_transitions (event_id, from_status, to_status, cause, attempt_number, user_id, agent_id, result)
    select key, from_status, event_status, ${cause}, attempt_number, ${actor.userID ?? null}::bigint,
      ${agent ?? db`former_agent_id`}, result from moved
    where from_status <> event_status),
  logged as (${recordChanges(
    db,
    { kind: 'event', change: 'changed', rows: db`moved` },
    ...(agents === 'none' ? [] : [{ kind: 'agent', change: 'changed', rows: changedAgents[agents](db) } as const]),
  )})
  ${mayEnd ? postBack(db) : db``}`;
