import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { beginRun, describeRun, requireSubstance, runRound, seedOfRun } from './run.ts';

test('trial, engine and a plain reading of the contract find the same clips, while two nodes judge', async () => {
  expect.hasAssertions();
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  await server.addNode();
  const run = beginRun();
  for (let round = 0; round < 3; round++)
    await runRound(server, run, { seed: seedOfRun + round, steps: 120, comparisons: 4 });
  process.stdout.write(`same-rules  SAME_SEED=${seedOfRun}  ${describeRun(run)}\n`);
  requireSubstance(run);
});
