import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { runChaos } from './chaos.ts';
import { ledgerNames } from './ledger.ts';

/*
 * `npm run test:chaos` runs it for as long as asked. The seed determines which faults come, and in which order; the moments
 * at which they meet requests differ from run to run.
 */

const minutes = Number(process.env['CHAOS_MINUTES'] ?? 2);
const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000);
const say = (line: string) => void process.stdout.write(`${line}\n`);

test('whatever fails, nothing acknowledged is lost or doubled', needs('postgresql', 'ceph', 'faketime'), async () => {
  say(`chaos for ${minutes} minutes with the seed ${seed}`);
  const { wrong, counts } = await runChaos({ minutes, seed, say });
  say(JSON.stringify(counts));
  expect(wrong, `seed ${seed}`).toEqual([]);
  expect(counts['faults']).toBeGreaterThan(minutes);
  for (const name of ledgerNames) expect(counts[name], name).toBeGreaterThan(0);
});
