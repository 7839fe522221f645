import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { env } from 'node:process';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { testModelFolder } from '@earshot/server/testing/speech';
import { expect, onTestFinished, test } from 'vitest';
import type { NodeProcess } from '../../../event/tests/node-process.ts';
import { startNodeProcess } from '../../../event/tests/node-process.ts';
import { beginRun, describeRun, requireSubstance, runRound, seedOfRun } from './run.ts';
import type { Run } from './run.ts';
import { allKinds } from './kinds.ts';

/** For a shorter run by hand. */
const least = Number(env['SAME_KINDS'] ?? 1_000);
const leastKills = Number(env['SAME_KILLS'] ?? 50);

/** On two busy cores. */
const mostHours = 4;

test('the same, each kind a thousand times, while nodes are killed', { timeout: mostHours * 3_600_000 }, async () => {
  expect.hasAssertions();
  const folder = await mkdtemp(join(tmpdir(), 'earshot-same-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const storage = { url: pathToFileURL(join(folder, 'files')).href, accessKey: '', secretKey: '' };
  const secretKey = randomBytes(32);
  const server = await startTestServer({ secretKey, storage });
  onTestFinished(() => server.stop());
  // The sounds of this test have no bytes that could be measured.
  await server.db`update older_clips_to_measure set is_enabled = false`;
  const nodes = createNodes(server, folder, secretKey, storage.url);
  await nodes.start();
  const run = beginRun();
  for (let round = 0; isLeft(run, nodes.kills()); round++) {
    const seed = seedOfRun + round;
    await runRound(server, run, { seed, steps: 600, comparisons: 8, disturb: () => nodes.killOne() });
    process.stdout.write(`same-rules  SAME_SEED=${seed}  ${nodes.kills()} kills, ${describeRun(run)}\n`);
  }
  requireSubstance(run);
});

const isLeft = ({ kinds }: Run, kills: number): boolean =>
  kills < leastKills || allKinds.some((kind) => (kinds.get(kind) ?? 0) < least);

/** Nodes in processes of their own, beside the one of the test: one is killed while another one judges. */
function createNodes(server: TestServer, folder: string, secretKey: Buffer, storageUrl: string) {
  let running: NodeProcess | undefined;
  let kills = 0;
  const start = async (): Promise<void> => {
    running = await startNodeProcess({
      EARSHOT_DATA_DIR: join(folder, `node-${kills}`),
      EARSHOT_DATABASE_URL: server.databaseUrl,
      EARSHOT_SECRET_KEY: secretKey.toString('base64'),
      EARSHOT_STORAGE_URL: storageUrl,
      EARSHOT_MODEL_DIR: testModelFolder,
    });
  };
  return {
    start,
    kills: () => kills,
    /** The next one starts before, so that two judge all the time. */
    async killOne(): Promise<void> {
      const former = running;
      kills += 1;
      await start();
      await former?.killNow();
    },
  };
}
