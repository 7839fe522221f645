import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { findNewestStart, setTrialPlanner } from '../trial/candidate-queries.ts';
import { actOnMatches } from './acts.ts';
import { tryLockEngine } from './engine-queries.ts';
import { putMatches, withdrawMatches } from './match-queries.ts';
import type { RuleCache } from './rule-cache.ts';
import type { EngineRule } from './rule-index.ts';
import type { RuleSweep } from './sweep-queries.ts';
import { beginOfSweep, endSweep, findSweep, moveSweep, removeSameSweeps } from './sweep-queries.ts';
import { judgeRange, scopeOfRule } from './windows.ts';

/** How much time of clips is judged in one transaction. */
const pieceMs = 86_400_000;

/** Judges one piece of one sweep; false if there is none, or another node is judging. */
export async function sweepPiece(db: Pool, cache: RuleCache): Promise<boolean> {
  if (!(await findSweep(db))) return false;
  return inTransaction(db, async (tx) => {
    if (!(await tryLockEngine(tx))) return false;
    const sweep = await findSweep(tx);
    if (!sweep) return false;
    await setTrialPlanner(tx);
    // One that commits after this statement has a change that this piece may not see, and stays.
    if (sweep.untilMs === beginOfSweep) await removeSameSweeps(tx, sweep);
    const cached = await cache.read(tx);
    const rule = cached.rules.get(sweep.ruleID);
    const scope = rule && (await scopeOfRule(tx, rule, deviceOfSweep(rule, sweep)));
    const newestMs = scope && (await findNewestStart(tx, scope.watched.deviceIDs, sweep.untilMs));
    if (!scope || newestMs === undefined) {
      await endSweep(tx, sweep.key);
      return true;
    }
    const starts = { fromMs: Math.max(0, newestMs + 1 - pieceMs), toMs: newestMs + 1 };
    const { found, gone } = await judgeRange(tx, scope, starts);
    await withdrawMatches(tx, gone);
    await actOnMatches(tx, cached, await putMatches(tx, found), true);
    await moveSweep(tx, sweep.key, starts.fromMs);
    return true;
  });
}

/** Where clips of several devices are counted together, a change of one concerns the windows of all. */
const deviceOfSweep = ({ definition }: EngineRule, { deviceID }: RuleSweep): number | undefined =>
  definition.atLeast?.acrossDevices ? undefined : (deviceID ?? undefined);
