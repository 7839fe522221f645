import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { openScratch } from '../../platform/database/embedded/testing/scratch.ts';
import { silentLog } from '../../testing/log.ts';
import { baseConfig, startTestServer } from '../../testing/server.ts';
import { listBackups } from '../target.ts';
import { verifyInstallation } from '../verify.ts';
import { emptyInstallation, fill, makeFolder, openExisting, readRows, restore } from './installations.ts';

const kills = 25;
const secretKey = Buffer.alloc(32, 7);
const program = fileURLToPath(new URL('../../../dist/backup.js', import.meta.url));

interface Run {
  readonly args: readonly string[];
  readonly settings: Readonly<Record<string, string>>;
}

/** The command as a person runs it; killed after a time, if one is given. */
async function runCommand(
  { args, settings }: Run,
  killAfterMs?: number,
): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, [program, ...args], { env: { PATH: process.env['PATH'], ...settings } });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(timer);
  return { code, said };
}

test('a backup killed at any moment leaves the former ones whole, and the next one is complete', async () => {
  const server = await startTestServer({ secretKey });
  onTestFinished(() => server.stop());
  const config = baseConfig(server.dataDir, server.databaseUrl, secretKey);
  await fill(server, 40);
  const folder = await makeFolder();
  const settings = {
    EARSHOT_DATA_DIR: server.dataDir,
    EARSHOT_DATABASE_URL: server.databaseUrl,
    EARSHOT_SECRET_KEY: secretKey.toString('base64'),
  };
  const backup = { args: ['backup', folder, '--keep', '2'], settings };
  const begin = performance.now();
  expect(await runCommand(backup)).toMatchObject({ code: 0 });
  const wholeMs = performance.now() - begin;
  let interrupted = 0;
  for (let kill = 0; kill < kills; kill++) {
    await fill(server, 2);
    const { code } = await runCommand(backup, Math.random() * wholeMs);
    if (code === null) interrupted += 1;
    expect((await listBackups(await openExisting(folder))).length).toBeGreaterThan(0);
  }
  expect(interrupted).toBeGreaterThan(kills / 3);
  expect(await runCommand(backup)).toMatchObject({ code: 0 });
  expect(await readdir(join(folder, 'unfinished'))).toEqual([]);
  const ids = await readdir(join(folder, 'backups'));
  expect(ids.length).toBeGreaterThanOrEqual(2);
  const restored = await emptyInstallation();
  await restore(restored, await openExisting(folder));
  expect(await readRows(restored)).toEqual(await readRows(config));
  const { faults, unknown } = await verifyInstallation({ config: restored, log: silentLog, hashShare: 1 });
  expect({ faults, unknown }).toEqual({ faults: [], unknown: [] });

  // A restore that is killed is repeated, until one is complete.
  const dataDir = join(await openScratch(), 'data');
  const embedded = { ...baseConfig(dataDir, '', secretKey), databaseUrl: undefined, secretKey: undefined };
  const again = { args: ['restore', folder], settings: { EARSHOT_DATA_DIR: dataDir } };
  let said = '';
  for (let attempt = 0; ; attempt++) {
    const run = await runCommand(again, attempt < 8 ? 300 + Math.random() * 2 * wholeMs : undefined);
    said = run.said;
    if (run.code === null) continue;
    // One that was killed after its commit had done everything.
    if (run.code !== 0) expect(said).toContain('is not empty');
    break;
  }
  expect(await readRows(embedded)).toEqual(await readRows(config));
  expect(await verifyInstallation({ config: embedded, log: silentLog, hashShare: 1 })).toMatchObject({ faults: [] });
}, 1_800_000);
