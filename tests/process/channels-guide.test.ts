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

test('every command of the guide to channels works, in its order', needs('curl'), async () => {
  const guide = await readFile(join(repository, 'docs/guides/channels.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  expect(blocks.join('').match(/^(earshot|curl) /gm)?.length).toBeGreaterThan(8);

  const folder = await openScratch();
  const dataDir = await makeDataFolder(join(folder, 'data'));
  const settings = { ...adminSettings, EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8' };
  const server = await startServer({ dataDir, settings });
  const { session } = await signInAdmin(server.url);
  await session.createDevice({ body: { deviceSerial: 'recorder-17' } });
  const program = join(repository, 'cli/bin/earshot.mjs');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/earshot'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(join(folder, 'bin/earshot'), 0o755);
  // Stopped also if a command fails.
  const script = `trap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n${blocks.join('\n')}`
    .replaceAll('curl -sS', 'curl -sS --fail-with-body --max-time 100')
    .replace('node told.mjs', `"${process.execPath}" told.mjs`);
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: { ...adminSettings, HOME: folder, PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, URL: server.url },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`the guide stopped:\n${error.stdout}\n${error.stderr}`);
  });
  await stopServer(server);
  // What the guide shows of the answers.
  expect(stdout).toContain('{"isDelivered":true,"status":204,"answer":"the receiver responded with status 204"}');
  expect(stdout).toMatch(/^\{"type":"alert\.told",.*"ruleName":"Fire",.*"text":"Engine 7, fire on River Road\."\}\}$/m);
  expect(stdout).toMatch(/"kind":"alert".*"state":"delivered"/);
  expect(stdout).toMatch(
    /^\{"type":"event\.ended",.*"key":1,"deviceID":1,"outcome":"ended","eventStatus":7,.*"record":\{.*\}\}\}$/m,
  );
  expect(stdout).toContain('Deleted subscription 1.');
  expect(stdout).not.toContain('not signed');
});
