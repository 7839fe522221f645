import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Registration } from './queries.ts';
import { lockedDevice } from './queries.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { createdOrChanged, recordChanges } from '../../platform/changes/record-changes.ts';
import { cameOnline, noteContact } from '../device/public.ts';

/** An agent as a poll or a take names it. */
export interface AgentContact {
  readonly deviceID: number;
  readonly agentTypeID: number;
  /** Missing: the agent of that type with the most recent contact, or index 0 if there is none. */
  readonly agentIndex: number | undefined;
  readonly processID: number | undefined;
}

/**
 * Contact is recorded at most this often, so that concurrent calls of one agent do not wait for each other's writes.
 */
export const contactEverySeconds = 1;

const namedAgent = (db: Db, { deviceID, agentTypeID, agentIndex }: AgentContact): Fragment => db`
  agents a where a.device_id = ${deviceID} and a.agent_type_id = ${agentTypeID}
  ${agentIndex === undefined ? db`` : db`and a.agent_index = ${agentIndex}`}`;

const lastHeardFirst = (db: Db, { agentIndex }: AgentContact): Fragment =>
  agentIndex === undefined ? db`order by a.last_heard_from_date desc nulls last, a.agent_index limit 1` : db``;

/** A query for the key of an agent with recent contact, which need not be recorded again. Locks it against removal. */
export const recentAgent = (db: Db, contact: AgentContact): Fragment =>
  db`select a.key from ${namedAgent(db, contact)} and ${hasRecentContact(db, contact)} ${lastHeardFirst(db, contact)} for key share`;

/** A query for the key of an agent, locked against removal. */
export const lockedAgent = (db: Db, agentID: number): Fragment =>
  db`select a.key from agents a where a.key = ${agentID} for key share`;

/**
 * Records contact with an agent and creates the agent if it has not registered. Undefined if its device was removed.
 */
export async function contactAgent(db: Db, caller: Caller, contact: AgentContact): Promise<number | undefined> {
  const [known] = await db<{ key: number; agentIndex: number; hasRecentContact: boolean }[]>`
    select a.key, a.agent_index as "agentIndex", ${hasRecentContact(db, contact)} as "hasRecentContact"
    from ${namedAgent(db, contact)} ${lastHeardFirst(db, contact)}`;
  if (known?.hasRecentContact) return known.key;
  return touchAgent(db, caller, { ...contact, agentIndex: contact.agentIndex ?? known?.agentIndex ?? 0 });
}

/** Contact alone does not count as a change of the agent. */
async function touchAgent(db: Db, caller: Caller, given: Omit<Registration, 'version'>): Promise<number | undefined> {
  const [row] = await db<{ key: number }[]>`
    with device as (${lockedDevice(db, given)}),
    former as (
      select process_id from agents where device_id = ${given.deviceID} and agent_type_id = ${given.agentTypeID}
        and agent_index = ${given.agentIndex}),
    put as (
      insert into agents as a (device_id, agent_type_id, agent_index, process_id, last_heard_from_date, created_by)
      select device.key, ${given.agentTypeID}::bigint, ${given.agentIndex}::bigint, ${given.processID ?? null}::bigint,
        now(), ${caller.userID}::bigint from device
      on conflict (device_id, agent_type_id, agent_index) do update set
        process_id = coalesce(excluded.process_id, a.process_id), last_heard_from_date = excluded.last_heard_from_date
      returning key, device_id, process_id, creation_date),
    ${noteContact(db, db`select device_id from put`)},
    logged as (${recordChanges(
      db,
      {
        kind: 'agent',
        change: createdOrChanged(db),
        rows: db`(select * from put where process_id is distinct from (select process_id from former) or creation_date = now())`,
      },
      cameOnline(db),
    )})
    select key from put`;
  return row?.key;
}

const hasRecentContact = (db: Db, { processID }: AgentContact): Fragment => db`
  a.last_heard_from_date > now() - make_interval(secs => ${contactEverySeconds})
  ${processID === undefined ? db`` : db`and a.process_id is not distinct from ${processID}::bigint`}`;
