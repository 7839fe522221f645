import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { repository, startServer, stopServer } from './server-process.ts';

const run = promisify(execFile);

test('every command of the guide to rules works, in its order', needs('curl'), async () => {
  const guide = await readFile(join(repository, 'docs/guides/rules.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.join('').match(/^(earshot|curl) /gm)?.length).toBeGreaterThan(12);

  const folder = await openScratch();
  const dataDir = await makeDataFolder(join(folder, 'data'));
  const server = await startServer({ dataDir, settings: adminSettings });
  const { session } = await signInAdmin(server.url);
  const { key: deviceID = 0 } = await session.createDevice({ body: { deviceSerial: 'recorder-17' } });
  const startTime = Math.floor(Date.now() / 1_000) - 600;
  for (const [at, transcript] of ['Engine 4, working fire on Main Street.', 'All units, all quiet.'].entries()) {
    const body = { deviceID, startTime: startTime + at * 60, clipLengthInSeconds: 5 };
    const { key = 0 } = await session.createAudioClip({ body });
    await session.correctCaption({ params: { captionID: key }, body: { transcript } });
  }
  const program = join(repository, 'cli/bin/earshot.mjs');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/earshot'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(folder, 'bin/earshot'), 0o755);
  const script = blocks.join('\n').replaceAll('curl -sS', 'curl -sS --fail-with-body --max-time 100');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: {
      ...adminSettings,
      HOME: folder,
      PATH: `${join(folder, 'bin')}:${process.env['PATH']}`,
      URL: server.url,
      TZ: 'UTC',
    },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`the guide stopped:\n${error.stdout}\n${error.stderr}`);
  });
  await stopServer(server);
  // What the guide shows of the answers.
  expect(stdout).toContain('1 match on 1 day, 1 alert');
  expect(stdout).toMatch(/^1 {2}\d{4}-\d{2}-\d{2} \d\d:\d\d:\d\d {2}.*Engine 4, working fire on Main Street\.$/m);
  expect(stdout).toMatch(/^It does not match\.\n(.*\n)*when\.all\[0\]\.any\[0\]\.words +false/m);
  expect(stdout).toContain(
    'When any device says “structure fire” or “working fire” and does not say “drill”: only note it.',
  );
  expect(stdout).toContain('lock the clip and tag the clip fire.');
  expect(stdout).toMatch(/"state":"open"/);
  expect(stdout).toContain('"unreadCount":1');
  expect(stdout).toContain('working fire on River Road');
  expect(stdout).toMatch(/Deleted rule \d+, Working fire\./);
  expect(stdout).toContain('"total":2');
});
