import type { LogLevel, LogMessage, LogMessageWithNames } from '@earshot/contract/log-message';
import { defaultCount } from '@earshot/contract/values';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';

const logColumns = (db: Db): Fragment => db`
  m.key, m.device_id as "deviceID", a.key as "agentID", m.process_id as "processID", m.version, m.level, m.message,
  m.message_date as "messageDate", m.creation_date as "creationDate"`;

/** The agent of the line `m`, if it has registered. */
const withAgent = (db: Db): Fragment => db`
  left join agents a on a.device_id = m.device_id and a.agent_type_id = m.agent_type_id and a.agent_index = m.agent_index`;

export interface NewLine {
  readonly deviceID: number;
  readonly agentTypeID: number | undefined;
  readonly agentIndex: number;
  readonly processID: number | undefined;
  readonly version: string | undefined;
  readonly level: LogLevel;
  readonly message: string;
  /** Undefined: now. */
  readonly date: Date | undefined;
}

/** Undefined if the device was removed. */
export async function insertLine(db: Db, line: NewLine): Promise<LogMessage | undefined> {
  const [row] = await db<LogMessage[]>`
    with device as (select key from devices where key = ${line.deviceID} for key share),
    added as (
      insert into log_messages (device_id, agent_type_id, agent_index, process_id, version, level, message, message_date)
      select device.key, ${line.agentTypeID ?? null}::bigint, ${line.agentIndex}::bigint,
        ${line.processID ?? null}::bigint, ${line.version ?? null}::text, ${line.level}, ${line.message},
        coalesce(${line.date ?? null}::timestamptz, now()) from device
      returning *)
    select ${logColumns(db)} from added m ${withAgent(db)}`;
  return row;
}

export async function findLine(db: Db, caller: Caller, logMessageID: number): Promise<LogMessage | undefined> {
  const [row] = await db<LogMessage[]>`
    select ${logColumns(db)} from log_messages m join devices d on d.key = m.device_id ${withAgent(db)}
    where m.key = ${logMessageID} and ${deviceRight(db, caller, 'read')}`;
  return row;
}

export interface LineFilter {
  readonly deviceID: number | undefined;
  readonly from: Date | undefined;
  readonly to: Date | undefined;
  readonly searchText: string | undefined;
  readonly level: LogLevel | undefined;
  readonly count: number | undefined;
  readonly ascending: boolean;
}

/** How many lines a search reads: of the one device that it names, or of each device. */
const searchedOfOne = 100_000;
const searchedOfEach = 1_000;

/** Reads the first lines of each readable device along its index, and of these the first. */
export async function selectLines(db: Db, caller: Caller, filter: LineFilter): Promise<LogMessageWithNames[]> {
  const { deviceID, searchText, level, ascending } = filter;
  const direction = ascending ? db`asc` : db`desc`;
  const order = db`order by m.message_date ${direction}, m.key ${direction}`;
  const count = filter.count || defaultCount;
  const pattern = `%${(searchText ?? '').replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;
  const lines = (most: number): Fragment => db`
    select * from log_messages m where m.device_id = d.key
      ${level ? db`and m.level = ${level}` : db``}
      ${filter.from ? db`and m.message_date >= ${filter.from}` : db``}
      ${filter.to ? db`and m.message_date < ${filter.to}` : db``}
    ${order} limit ${most}`;
  const chosen = searchText
    ? db`select * from (${lines(deviceID ? searchedOfOne : searchedOfEach)}) m where m.message ilike ${pattern}
        ${order} limit ${count}`
    : lines(count);
  return db<LogMessageWithNames[]>`
    select ${logColumns(db)}, m.device_name as "deviceName", t.agent_type_name as "agentType",
      case when m.agent_type_id is not null then m.agent_index end as "agentIndex"
    from (
      select m.*, d.device_name from devices d cross join lateral (${chosen}) m
      where ${deviceRight(db, caller, 'read')} ${deviceID ? db`and d.key = ${deviceID}` : db``}
      ${order} limit ${count}) m
    ${withAgent(db)} left join agent_types t on t.key = m.agent_type_id
    ${order}`;
}

/**
 * Removes old lines and returns their number. Every node sweeps, so lines that another one has locked are skipped. The keys
 * are an array, because a join may read the whole table.
 */
export async function removeOldLines(db: Db, days: number, most: number): Promise<number> {
  const rows = await db`
    with due as (
      select m.key from devices d cross join lateral (
        select o.key from log_messages o
        where o.device_id = d.key and o.message_date < now() - make_interval(days => ${days})
        order by o.message_date limit ${most}) old
      join log_messages m on m.key = old.key limit ${most} for update of m skip locked)
    delete from log_messages where key = any(array(select key from due)) returning 1`;
  return rows.length;
}

export const lockLinesOfDevice = (tx: Db, deviceID: number): Promise<unknown> =>
  tx`select 1 from log_messages where device_id = ${deviceID} order by key for update`;
