import { execFile } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { findPostgres } from '../../scripts/parts.mjs';
import { adminSettings } from './admin.ts';
import { startExternalPostgres } from './external-postgres.ts';
import { repository, startServer } from './server-process.ts';

const run = promisify(execFile);

const needed = needs('curl', 'openssl', 'postgresql');

test('every command of the guide to several machines works, in its order', needed, async () => {
  const postgres = await startExternalPostgres();
  onTestFinished(() => postgres.remove());
  const guide = await readFile(join(repository, 'docs/guides/from-one-machine-to-many.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```sh\n# test: (\w+)\n([\s\S]*?)^```$/gm)];
  expect(blocks.map(([, kind]) => kind)).toEqual(['once', 'once', 'node', 'node', 'node', 'check', 'check']);

  const folder = await openScratch();
  const files = join(folder, 'files');
  await mkdir(files);
  const ownUrl = new URL(postgres.url('earshot'));
  ownUrl.username = 'earshot';
  ownUrl.password = 'choose-a-long-one';
  const ports = new Map<string, number>();
  for (const port of ['8081', '8082', '8083']) ports.set(port, await findFreePort());
  const env = {
    PATH: `${findPostgres()}:${process.env['PATH']}`,
    ...adminSettings,
    ADMIN_URL: postgres.url('postgres'),
    DATABASE_URL: ownUrl.href,
    FILES: files,
  };
  for (const [, kind, text = ''] of blocks) {
    // Differences from the guide: free ports, data folders and settings in a folder of this test, and no models.
    let script = text;
    for (const [port, free] of ports) script = script.replaceAll(port, String(free));
    if (kind !== 'node') {
      await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
      continue;
    }
    script = script.replaceAll('./', `${folder}/`).replace('EARSHOT_ROLE', 'EARSHOT_CAPTION_ENGINE=none EARSHOT_ROLE');
    await startServer({ dataDir: folder, settings: adminSettings, command: ['bash', '-c', script] });
  }
});
