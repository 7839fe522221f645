import type { Db } from '../../../platform/database/connect.ts';

export interface RuleSweep {
  readonly key: number;
  readonly ruleID: number;
  readonly deviceID: number | null;
  readonly untilMs: number;
  /** It waited when the backup was made that was restored. */
  readonly isRestored: boolean;
}

/** The next sweep, the one that is nearest to the present first; another one of the same rule and device is the same work. */
export async function findSweep(db: Db): Promise<RuleSweep | undefined> {
  const [row] = await db<RuleSweep[]>`
    select key, rule_id as "ruleID", device_id as "deviceID", least(until_ms, ${Number.MAX_SAFE_INTEGER}::bigint) as "untilMs",
      is_restored as "isRestored"
    from rule_sweeps order by until_ms desc, key limit 1`;
  return row;
}

/** Removes sweeps that the given one includes: it begins now, and they have not begun. */
export const removeSameSweeps = (tx: Db, { key, ruleID, deviceID }: RuleSweep): Promise<unknown> => tx`
  delete from rule_sweeps where rule_id = ${ruleID} and key <> ${key} and until_ms = 9223372036854775807
    and (${deviceID}::bigint is null or device_id = ${deviceID}::bigint)`;

export const moveSweep = (tx: Db, key: number, untilMs: number): Promise<unknown> =>
  tx`update rule_sweeps set until_ms = ${untilMs} where key = ${key}`;

export const endSweep = (tx: Db, key: number): Promise<unknown> => tx`delete from rule_sweeps where key = ${key}`;
