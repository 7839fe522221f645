import type { Agent } from '@earshot/contract/agent';
import { findAgentsByKey } from '@earshot/server/features/agent/queries';
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
  /** Every column, to check that nothing has changed. */
  readonly whole: string;
  readonly history: readonly Line[];
}

/** The rows of some devices, read from the database without HTTP. */
export async function readStored(db: Pool, deviceIDs: number[]) {
  const [rows, agents] = await Promise.all([
    db<(Omit<StoredEvent, 'history'> & { history: (number | string | null)[][] })[]>`
      select e.key, event_status as status, attempt_number as attempts, process_id as "processID", take_id as "takeID",
        agent_id as "agentID", result, lease_end_date is not null as "hasLease", e::text as whole,
        (select json_agg(json_build_array(t.from_status, t.to_status, t.cause, t.attempt_number) order by t.key)
          from event_transitions t where t.event_id = e.key) as history
      from events e where device_id = any(${deviceIDs}::bigint[]) order by e.key`,
    readAgents(db, deviceIDs),
  ]);
  const find = (deviceID: number, index: number) =>
    agents.find((agent) => agent.deviceID === deviceID && agent.agentIndex === index);
  return {
    events: rows.map((row): StoredEvent => ({ ...withoutNulls(row), history: legalHistory(row.history) })),
    agentID: (deviceID: number, index: number) => find(deviceID, index)?.key,
    currentEventID: (deviceID: number, index: number) => find(deviceID, index)?.currentEventID ?? undefined,
  };
}

/** With the current event as the platform computes it, because it is not stored. */
async function readAgents(db: Pool, deviceIDs: number[]): Promise<Agent[]> {
  const rows = await db<{ key: number }[]>`select key from agents where device_id = any(${deviceIDs}::bigint[])`;
  return findAgentsByKey(
    db,
    rows.map(({ key }) => key),
  );
}

/**
 * The first is enqueued, each move is a valid one and starts where the previous one ended, and takes count the
 * attempts.
 */
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
