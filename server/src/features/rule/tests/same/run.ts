import { env } from 'node:process';
import type { TestServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import { createChance } from './chance.ts';
import type { Compared } from './compare.ts';
import { compareAll, nothingCompared, waitUntilJudged } from './compare.ts';
import type { Kinds } from './steps.ts';
import { Steps } from './steps.ts';
import { World } from './world.ts';

/** SAME_SEED repeats a run, as far as the order in which nodes judge permits. */
export const seedOfRun = Number(env['SAME_SEED'] ?? 20_261_119);

export interface Run {
  readonly kinds: Kinds;
  readonly compared: Compared;
  withdrawals: number;
  rounds: number;
}

export const beginRun = (): Run => ({ kinds: new Map(), compared: nothingCompared(), withdrawals: 0, rounds: 0 });

interface Round {
  readonly seed: number;
  /** Each of them some clips, or one change of something else. */
  readonly steps: number;
  readonly comparisons: number;
  /** Called at some steps, while changes wait to be judged. */
  readonly disturb?: (() => Promise<void>) | undefined;
}

/** Random rules over random data, from the beginning; each comparison must find no difference. */
export async function runRound(server: TestServer, run: Run, round: Round): Promise<void> {
  const { seed, steps: count, comparisons, disturb } = round;
  const chance = createChance(seed);
  const world = await World.create(server, 4);
  const steps = new Steps(world, chance, run.kinds);
  await steps.begin();
  const pause = Math.ceil(count / comparisons);
  const disturbedAt = chance.between(1, count);
  for (let step = 1; step <= count; step++) {
    await Promise.all([steps.next(), step === disturbedAt ? disturb?.() : undefined]);
    if (step % pause > 0 && step < count) continue;
    await waitUntilJudged(server);
    const differences = await compareAll(world, run.compared);
    expect(differences, `SAME_SEED=${seed}, step ${step}`).toEqual([]);
  }
  const [row] = await server.db<{ count: number }[]>`select count(*) as count from rule_matches where is_withdrawn`;
  run.withdrawals += row?.count ?? 0;
  run.rounds += 1;
  await steps.end();
  await waitUntilJudged(server);
}

export function describeRun({ kinds, compared, withdrawals, rounds }: Run): string {
  const { clips, matchingClips, rules, matches, judged, refusedTrials } = compared;
  return (
    `${rounds} rounds: ${clips} clips compared, ${matchingClips} of them match, ${rules} rules, ${matches} matches, ` +
    `${judged} pairs that had to be judged, ${withdrawals} withdrawals, ${refusedTrials} trials refused. ` +
    [...kinds].map(([kind, count]) => `${kind}: ${count}`).join(', ')
  );
}

/** At least a tenth of the clips match, and something was withdrawn: else equal sets say little. */
export function requireSubstance({ compared, withdrawals }: Run): void {
  expect(compared.matchingClips).toBeGreaterThanOrEqual(compared.clips / 10);
  expect(withdrawals).toBeGreaterThan(0);
  expect(compared.refusedTrials).toBeLessThan(compared.rules / 4);
}
