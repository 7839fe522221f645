import type { Agent, AgentUpdate } from '@earshot/contract/agent';
import { defaultCount } from '@earshot/contract/values';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Stored } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import { createdOrChanged, recordChanges } from '../../platform/changes/record-changes.ts';
import { cameOnline, noteContact } from '../device/public.ts';

export type StoredAgent = Stored<Agent, 'key' | 'userID' | 'deviceID' | 'agentTypeID' | 'agentIndex' | 'creationDate'>;

/**
 * The last event that the agent `a` took and that has not ended. An event that the agent set itself counts instead, if
 * the agent has taken none since and that event has not ended.
 */
const currentEvent = (db: Db): Fragment => db`
  (select case
      when (held.taken_date is null or a.current_event_date > held.taken_date) and not exists (
        select 1 from events e where e.key = a.current_event_id and e.device_id = a.device_id and e.event_status > 3)
      then a.current_event_id else held.key end
    from (select) one left join lateral (
      select h.key, h.taken_date from events h where h.agent_id = a.key and h.event_status in (2, 3)
      order by h.taken_date desc, h.key desc limit 1) held on true)`;

const agentColumns = (db: Db): Fragment => db`
  a.key, d.user_id as "userID", a.device_id as "deviceID", a.agent_type_id as "agentTypeID",
  a.agent_index as "agentIndex", ${currentEvent(db)} as "currentEventID", a.process_id as "processID", a.version,
  a.agent_name as "agentName", a.agent_description as "agentDescription", a.recent_output as "recentOutput",
  a.last_heard_from_date as "lastHeardFromDate", a.creation_date as "creationDate", a.created_by as "createdBy",
  a.last_modified_date as "lastModifiedDate", a.last_modified_by as "lastModifiedBy"`;

export async function findAgent(db: Db, caller: Caller, agentID: number): Promise<StoredAgent | undefined> {
  const [row] = await db<StoredAgent[]>`
    select ${agentColumns(db)} from agents a join devices d on d.key = a.device_id
    where a.key = ${agentID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

/** For the live stream, which checks separately what each listener may read. */
export async function findAgentsByKey(db: Db, keys: readonly number[]): Promise<StoredAgent[]> {
  return db<StoredAgent[]>`
    select ${agentColumns(db)} from agents a join devices d on d.key = a.device_id
    where a.key = any(${keys as number[]}::bigint[])`;
}

/** Locks the agent until the transaction ends. */
export async function lockAgent(tx: Db, caller: Caller, agentID: number): Promise<StoredAgent | undefined> {
  const [row] = await tx<StoredAgent[]>`
    select ${agentColumns(tx)} from agents a join devices d on d.key = a.device_id
    where a.key = ${agentID} and ${deviceRight(tx, caller, 'write')}
    for key share of d for no key update of a`;
  return row;
}

export interface Registration {
  readonly deviceID: number;
  readonly agentTypeID: number;
  readonly agentIndex: number;
  readonly processID: number | undefined;
  readonly version: string | undefined;
}

/** Locked before its agents, because removing a device locks the device first and then its agents. */
export const lockedDevice = (db: Db, { deviceID }: { readonly deviceID: number }): Fragment =>
  db`select key from devices where key = ${deviceID} for key share`;

/** One agent per device, type and index: registering again keeps its key, name and description. */
export async function putAgent(db: Db, caller: Caller, given: Registration): Promise<StoredAgent | undefined> {
  const [row] = await db<StoredAgent[]>`
    with device as (${lockedDevice(db, given)}),
    put as (
      insert into agents as a (device_id, agent_type_id, agent_index, process_id, version,
        last_heard_from_date, created_by)
      select device.key, ${given.agentTypeID}::bigint, ${given.agentIndex}::bigint, ${given.processID ?? null}::bigint,
        ${given.version ?? null}::text, now(), ${caller.userID}::bigint from device
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

/** Returns the process that an agent last registered with. Locks the agent until the transaction ends. */
export async function lockAgentProcess(
  tx: Db,
  { deviceID, agentTypeID, agentIndex }: Registration,
): Promise<number | null> {
  const [row] = await tx<{ processID: number | null }[]>`
    select a.process_id as "processID" from agents a join devices d on d.key = a.device_id
    where a.device_id = ${deviceID} and a.agent_type_id = ${agentTypeID} and a.agent_index = ${agentIndex}
    for key share of d for no key update of a`;
  return row?.processID ?? null;
}

/** The device of an agent, locked, when the caller may write to it. */
const lockedDeviceOf = (db: Db, caller: Caller, agentID: number): Fragment => db`
  select d.key from devices d join agents own on own.device_id = d.key
  where own.key = ${agentID} and ${deviceRight(db, caller, 'write')} for key share of d`;

/**
 * Sets the given fields in one statement, so that concurrent changes of different fields do not overwrite each other. A
 * change that counts as contact renews the events that the agent is processing: `renewal` is that part of the
 * statement.
 */
export async function changeAgent(
  db: Db,
  caller: Caller,
  agentID: number,
  update: AgentUpdate,
  renewal: ((agents: Fragment) => Fragment) | undefined,
): Promise<StoredAgent | undefined> {
  const isContact = renewal !== undefined;
  const writesEvent = update.currentEventID !== undefined;
  const agent = { kind: 'agent', change: 'changed', rows: db`changed` } as const;
  const [row] = await db<StoredAgent[]>`
    with device as (${lockedDeviceOf(db, caller, agentID)}),
    changed as (
      update agents a set last_modified_date = now(), last_modified_by = ${caller.userID}
        ${isContact ? db`, last_heard_from_date = now()` : db``}
        ${writesEvent ? db`, current_event_date = clock_timestamp()` : db``} ${changedColumns(db, {
          current_event_id: update.currentEventID,
          process_id: update.processID,
          agent_name: update.agentName,
          agent_description: update.agentDescription,
          recent_output: update.recentOutput,
        })}
      from device where device.key = a.device_id and a.key = ${agentID} returning a.*),
    ${isContact ? db`${noteContact(db, db`select device_id from changed`)},` : db``}
    ${renewal ? db`renewed as (${renewal(db`select key from changed`)}),` : db``}
    logged as (${isContact ? recordChanges(db, agent, cameOnline(db)) : recordChanges(db, agent)})
    select ${agentColumns(db)} from changed a join devices d on d.key = a.device_id`;
  return row;
}

export async function removeAgent(db: Db, caller: Caller, agentID: number): Promise<boolean> {
  const rows = await db`
    with device as (${lockedDeviceOf(db, caller, agentID)}),
    gone as (
      delete from agents a using device where device.key = a.device_id and a.key = ${agentID}
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

/** Sorted without an index: a device has few agents, and their times of contact change too often for an index. */
export async function selectAgents(db: Db, caller: Caller, filter: AgentFilter): Promise<StoredAgent[]> {
  const time = db`coalesce(a.last_heard_from_date, a.creation_date)`;
  const direction = filter.ascending ? db`asc` : db`desc`;
  return db<StoredAgent[]>`
    select ${agentColumns(db)}, d.device_name as "deviceName", t.agent_type_name as "agentType"
    from agents a join devices d on d.key = a.device_id join agent_types t on t.key = a.agent_type_id
    where ${deviceRight(db, caller, 'read')}
      ${filter.deviceID ? db`and a.device_id = ${filter.deviceID}` : db``}
      ${filter.from ? db`and ${time} >= ${filter.from}` : db``}
      ${filter.to ? db`and ${time} < ${filter.to}` : db``}
    order by ${time} ${direction}, a.key ${direction}
    limit ${filter.count || defaultCount}`;
}

export const lockAgentsOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from agents where device_id = ${deviceID} order by key for update`;
