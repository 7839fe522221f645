import type { Db, Fragment } from '../../platform/database/connect.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { changedColumns } from './columns.ts';

/* The one statement by which events change. What they may change to is said in transitions.ts, and nowhere else. */

/** Who brings a transition about; nobody, when the platform does. */
export interface Actor {
  readonly userID?: number | undefined;
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
  /** The agents whose current event changes with it. */
  readonly agents: ChangedAgents;
  /** The agent that takes, for the history; any other move is of the former holder's. */
  readonly agent?: Fragment;
}

/*
 * The current event of an agent is read from the events it holds (features/agent/queries.ts). So a move writes no row of
 * `agents`: callers that take and report for one agent do not wait for one another.
 */
type ChangedAgents = 'none' | 'taker' | 'former holder' | 'former holders';

const changedAgents: Readonly<Record<Exclude<ChangedAgents, 'none'>, (db: Db) => Fragment>> = {
  taker: (db) => db`(select agent_id as key, device_id from moved)`,
  'former holder': (db) => db`(select former_agent_id as key, device_id from moved where former_agent_id is not null)`,
  'former holders': (db) => db`
    (select distinct former_agent_id as key, device_id from moved where former_agent_id is not null)`,
};

/** In the statement that ends the event: an outcome is posted at least once, whatever dies right after. */
const postBack = (db: Db): Fragment => db`,
  posted as (
    insert into postbacks (event_id)
    select key from moved where event_status between 4 and 7 and postback_url is not null)`;

/**
 * The parts of a statement, to be put behind `with`, that move the chosen events, write their history, and record the
 * changes of events and agents for the live stream.
 */
export const move = (db: Db, { choose, set, cause, actor, mayEnd, agents, agent }: Move): Fragment => db`
  chosen as (${choose}),
  moved as (
    update events e set ${set} from chosen where e.key = chosen.key
    returning ${changedColumns(db)}, chosen.event_status as from_status, chosen.agent_id as former_agent_id),
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
