import type { Db } from '../../../../platform/database/connect.ts';
import type { StateSource } from '../core/states.ts';

/** What is to be looked at now. */
export interface DueState {
  readonly key: number;
  /** Null: all. */
  readonly deviceID: number | null;
  /** Null: all. */
  readonly source: StateSource | null;
  readonly dueMs: number;
  readonly nowMs: number;
  readonly isRestored: boolean;
}

export async function isAnyStateDue(db: Db): Promise<boolean> {
  return (await db`select 1 from states_to_judge where due_date <= now() limit 1`).length > 0;
}

export async function findDueStates(tx: Db, most: number): Promise<DueState[]> {
  return tx<DueState[]>`
    select key, device_id as "deviceID", source, is_restored as "isRestored",
      floor(extract(epoch from due_date) * 1000)::bigint as "dueMs",
      floor(extract(epoch from clock_timestamp()) * 1000)::bigint as "nowMs"
    from states_to_judge where due_date <= now() order by due_date, key limit ${most}`;
}

/** Notes for each device, instead of for all. */
export const spreadDue = (tx: Db, sources: readonly StateSource[], isRestored: boolean): Promise<unknown> => tx`
  insert into states_to_judge (device_id, source, is_restored)
  select d.key, s.source, ${isRestored} from devices d cross join unnest(${sources as StateSource[]}::text[]) s (source)
  order by d.key`;

/** The notes about these devices and this source, also those of later: judging writes a new one. */
export async function findDueRows(tx: Db, source: StateSource, devices: readonly number[]): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    select key from states_to_judge where device_id = any(${devices as number[]}::bigint[]) and source = ${source}`;
  return rows.map(({ key }) => key);
}

export const removeDue = (tx: Db, keys: readonly number[]): Promise<unknown> =>
  tx`delete from states_to_judge where key = any(${keys as number[]}::bigint[])`;

export interface NextDue {
  readonly deviceID: number;
  readonly source: StateSource;
  readonly atMs: number;
}

export async function insertDue(tx: Db, due: readonly NextDue[]): Promise<void> {
  if (due.length === 0) return;
  await tx`
    insert into states_to_judge (device_id, source, due_date)
    select n.device_id, n.source, to_timestamp(n.at_ms::float8 / 1000)
    from unnest(${due.map(({ deviceID }) => deviceID)}::bigint[], ${due.map(({ source }) => source)}::text[],
      ${due.map(({ atMs }) => atMs)}::bigint[]) n (device_id, source, at_ms) order by n.device_id`;
}

/** Puts off what failed. Returns the device. */
export async function setAsideDue(tx: Db, minutes: number): Promise<number | undefined> {
  const [row] = await tx<{ deviceID: number | null }[]>`
    update states_to_judge set due_date = now() + make_interval(mins => ${minutes})
    where key = (select key from states_to_judge where due_date <= now() order by due_date, key limit 1)
    returning device_id as "deviceID"`;
  return row && (row.deviceID ?? 0);
}
