import type { Pool } from '@earshot/server/platform/database/connect';
import { legalMoves } from './model.ts';
import { expect } from 'vitest';

type Line = [from: number | undefined, to: number, cause: string, attempt: number];

interface StoredEvent {
  readonly key: number;
  readonly status: number;
  readonly attempts: number;
  readonly processID: number | undefined;
  readonly takeID: string | undefined;
  readonly agentID: number | undefined;
  readonly result: string | undefined;
  readonly hasLease: boolean;
  /** Every column, to see that nothing at all has changed. */
  readonly whole: string;
  readonly history: readonly Line[];
}

/** What the database holds of some devices, below HTTP: nothing is left out or made up. */
export async function readStored(db: Pool, deviceIDs: number[]) {
  const [rows, agents] = await Promise.all([
    db<(Omit<StoredEvent, 'history'> & { history: (number | string | null)[][] })[]>`
      select e.key, event_status as status, attempt_number as attempts, process_id as "processID", take_id as "takeID",
        agent_id as "agentID", result, lease_end_date is not null as "hasLease", e::text as whole,
        (select json_agg(json_build_array(t.from_status, t.to_status, t.cause, t.attempt_number) order by t.key)
          from event_transitions t where t.event_id = e.key) as history
      from events e where device_id = any(${deviceIDs}::bigint[]) order by e.key`,
    db<{ key: number; deviceID: number; index: number; current: number | null }[]>`
      select key, device_id as "deviceID", agent_index as index, current_event_id as current
      from agents where device_id = any(${deviceIDs}::bigint[])`,
  ]);
  const find = (deviceID: number, index: number) =>
    agents.find((row) => row.deviceID === deviceID && row.index === index);
  return {
    events: rows.map((row): StoredEvent => ({ ...withoutNulls(row), history: legalHistory(row.history) })),
    agentID: (deviceID: number, index: number) => find(deviceID, index)?.key,
    currentEventID: (deviceID: number, index: number) => find(deviceID, index)?.current ?? undefined,
  };
}

/** First enqueued, each move one that there is, each from where the last one led, attempts counted by takes. */
function legalHistory(lines: readonly (number | string | null)[][]): Line[] {
  const history = lines.map((line) => line.map((value) => value ?? undefined) as Line);
  expect(history[0]).toEqual([undefined, 1, 'enqueued', 0]);
  for (const [index, [from, to, cause, attempt]] of history.entries()) {
    const before = history[index - 1];
    if (!before) continue;
    expect(from).toBe(before[1]);
    expect(legalMoves[cause]).toContainEqual([from, to]);
    expect(attempt).toBe(before[3] + (cause === 'taken' ? 1 : 0));
  }
  return history;
}

const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, (value as unknown) ?? undefined])) as Row;
