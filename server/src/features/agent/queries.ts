import type { Agent, AgentUpdate } from '@earshot/contract/agent';
import { defaultCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../access/rules.ts';
import { cameOnline, noteContact } from '../device/rules.ts';
import { createdOrChanged, recordChanges } from '../live/rules.ts';

const agentColumns = (db: Db): Fragment => db`
  a.key, d.user_id as "userID", a.device_id as "deviceID", a.agent_type_id as "agentTypeID",
  a.agent_index as "agentIndex", a.current_event_id as "currentEventID", a.process_id as "processID", a.version,
  a.agent_name as "agentName", a.agent_description as "agentDescription", a.recent_output as "recentOutput",
  a.last_heard_from_date as "lastHeardFromDate", a.creation_date as "creationDate", a.created_by as "createdBy",
  a.last_modified_date as "lastModifiedDate", a.last_modified_by as "lastModifiedBy"`;

export async function findAgent(db: Db, caller: Caller, agentID: number): Promise<Agent | undefined> {
  const [row] = await db<Agent[]>`
    select ${agentColumns(db)} from agents a join devices d on d.key = a.device_id
    where a.key = ${agentID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which asks what each of its listeners may read. */
export async function findAgentsByKey(db: Db, keys: readonly number[]): Promise<Agent[]> {
  return db<Agent[]>`
    select ${agentColumns(db)} from agents a join devices d on d.key = a.device_id
    where a.key = any(${keys as number[]}::bigint[])`;
}

/** The agent, held against other changes until the transaction ends. */
export async function lockAgent(tx: Db, caller: Caller, agentID: number): Promise<Agent | undefined> {
  const [row] = await tx<Agent[]>`
    select ${agentColumns(tx)} from agents a join devices d on d.key = a.device_id
    where a.key = ${agentID} and ${deviceRight(tx, caller, 'write')}
    for update of a`;
  return row;
}

export interface Registration {
  readonly deviceID: number;
  readonly agentTypeID: number;
  readonly agentIndex: number;
  readonly processID: number | undefined;
  readonly version: string | undefined;
}

/** One agent for a device, type and index: registering again keeps its key, name and description. */
export async function putAgent(db: Db, caller: Caller, given: Registration): Promise<Agent | undefined> {
  const [row] = await db<Agent[]>`
    with put as (
      insert into agents as a (device_id, agent_type_id, agent_index, process_id, version,
        last_heard_from_date, created_by)
      values (${given.deviceID}, ${given.agentTypeID}, ${given.agentIndex}, ${given.processID ?? null},
        ${given.version ?? null}, now(), ${caller.userID})
      on conflict (device_id, agent_type_id, agent_index) do update set
        process_id = coalesce(excluded.process_id, a.process_id),
        version = coalesce(excluded.version, a.version),
        last_heard_from_date = excluded.last_heard_from_date,
        last_modified_date = now(), last_modified_by = ${caller.userID}
      returning *),
    ${noteContact(db, db`select device_id from put`)},
    logged as (${recordChanges(db, { kind: 'agent', change: createdOrChanged(db), rows: db`put` }, cameOnline(db))})
    select ${agentColumns(db)} from put a join devices d on d.key = a.device_id`;
  return row;
}

/** Notes contact with an agent, which is made when it has not registered. Contact alone is no change of it. */
export async function touchAgent(db: Db, caller: Caller, given: Omit<Registration, 'version'>): Promise<number> {
  const [row] = await db<{ key: number }[]>`
    with former as (
      select process_id from agents where device_id = ${given.deviceID} and agent_type_id = ${given.agentTypeID}
        and agent_index = ${given.agentIndex}),
    put as (
      insert into agents as a (device_id, agent_type_id, agent_index, process_id, last_heard_from_date, created_by)
      values (${given.deviceID}, ${given.agentTypeID}, ${given.agentIndex}, ${given.processID ?? null}, now(), ${caller.userID})
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
  if (!row) throw new Error('an agent that was put was not returned');
  return row.key;
}

/** The process that an agent last registered with, held until the transaction ends. */
export async function lockAgentProcess(
  tx: Db,
  { deviceID, agentTypeID, agentIndex }: Registration,
): Promise<number | null> {
  const [row] = await tx<{ processID: number | null }[]>`
    select process_id as "processID" from agents
    where device_id = ${deviceID} and agent_type_id = ${agentTypeID} and agent_index = ${agentIndex} for update`;
  return row?.processID ?? null;
}

/** Sets the fields that are given, in one statement, so that changes of different fields never lose one another. */
export async function changeAgent(
  db: Db,
  caller: Caller,
  agentID: number,
  update: AgentUpdate,
  isContact: boolean,
): Promise<Agent | undefined> {
  const agent = { kind: 'agent', change: 'changed', rows: db`changed` } as const;
  const [row] = await db<Agent[]>`
    with changed as (
      update agents a set last_modified_date = now(), last_modified_by = ${caller.userID}
        ${isContact ? db`, last_heard_from_date = now()` : db``} ${changedColumns(db, {
          current_event_id: update.currentEventID,
          process_id: update.processID,
          agent_name: update.agentName,
          agent_description: update.agentDescription,
          recent_output: update.recentOutput,
        })}
      from devices d where d.key = a.device_id and a.key = ${agentID} and ${deviceRight(db, caller, 'write')}
      returning a.*),
    ${isContact ? db`${noteContact(db, db`select device_id from changed`)},` : db``}
    logged as (${isContact ? recordChanges(db, agent, cameOnline(db)) : recordChanges(db, agent)})
    select ${agentColumns(db)} from changed a join devices d on d.key = a.device_id`;
  return row;
}

export async function removeAgent(db: Db, caller: Caller, agentID: number): Promise<boolean> {
  const rows = await db`
    with gone as (
      delete from agents a using devices d
      where d.key = a.device_id and a.key = ${agentID} and ${deviceRight(db, caller, 'write')}
      returning a.key, a.device_id)
    ${recordChanges(db, { kind: 'agent', change: 'removed', rows: db`gone` })} returning 1`;
  return rows.length === 1;
}

export interface AgentFilter {
  readonly deviceID: number | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly count: number | undefined;
  readonly ascending: boolean;
}

/** Agents are few (some for a device), and their times change all the time: sorted anew rather than indexed. */
export async function listAgents(db: Db, caller: Caller, filter: AgentFilter): Promise<Agent[]> {
  const time = db`coalesce(a.last_heard_from_date, a.creation_date)`;
  const direction = filter.ascending ? db`asc` : db`desc`;
  return db<Agent[]>`
    select ${agentColumns(db)}, d.device_name as "deviceName", t.agent_type_name as "agentType"
    from agents a join devices d on d.key = a.device_id join agent_types t on t.key = a.agent_type_id
    where ${deviceRight(db, caller, 'read')}
      ${filter.deviceID ? db`and a.device_id = ${filter.deviceID}` : db``}
      ${filter.from ? db`and ${time} >= ${filter.from}` : db``}
      ${filter.to ? db`and ${time} < ${filter.to}` : db``}
    order by ${time} ${direction}, a.key ${direction}
    limit ${filter.count || defaultCount}`;
}
