import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import { findNewestStart, setTrialPlanner } from '../trial/candidate-queries.ts';
import { actOnMatches } from './acts.ts';
import type { MatchFollower } from './follower.ts';
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
export async function sweepPiece(db: Pool, cache: RuleCache, follower: MatchFollower): Promise<boolean> {
  const { isDone, woken } = await inTransaction(db, async (tx) => {
    const nothing = { isDone: false, woken: [] };
    if (!(await tryLockEngine(tx))) return nothing;
    const sweep = await findSweep(tx);
    if (!sweep) return nothing;
    await setTrialPlanner(tx);
    // One that commits after this statement has a change that this piece may not see, and stays.
    if (sweep.untilMs === beginOfSweep) await removeSameSweeps(tx, sweep);
    const cached = await cache.read(tx);
    const rule = cached.rules.get(sweep.ruleID);
    const scope = rule && !rule.state ? await scopeOfRule(tx, rule, deviceOfSweep(rule, sweep)) : undefined;
    const newestMs = scope && (await findNewestStart(tx, scope.watched.deviceIDs, sweep.untilMs));
    if (!scope || newestMs === undefined) {
      await endSweep(tx, sweep.key);
      return { isDone: true, woken: [] };
    }
    const starts = { fromMs: Math.max(0, newestMs + 1 - pieceMs), toMs: newestMs + 1 };
    const { found, gone } = await judgeRange(tx, scope, starts);
    const withdrawn = await withdrawMatches(tx, gone);
    const written = await putMatches(tx, found);
    const devicesWithWork = await follower.follow(tx, {
      rules: cached.rules,
      written,
      withdrawn,
      refused: await actOnMatches(tx, cached, written, true),
      clips: [],
      onlyNewClips: true,
      ended: [],
      isRestored: () => sweep.isRestored,
    });
    await moveSweep(tx, sweep.key, starts.fromMs);
    return { isDone: true, woken: devicesWithWork };
  });
  follower.wake(woken);
  return isDone;
}

/** Where clips of several devices are counted together, a change of one concerns the windows of all. */
const deviceOfSweep = ({ definition }: EngineRule, { deviceID }: RuleSweep): number | undefined =>
  definition.atLeast?.acrossDevices ? undefined : (deviceID ?? undefined);
