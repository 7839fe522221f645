import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { repository } from '../process/server-process.ts';
import { addSources, makeDebianRoot, superuser } from './debian-root.ts';
import { blockOf } from './guide.ts';

const needed = needs('root', 'mmdebstrap');

/*
 * The unit of deploy/systemd, as systemd's own checks see it, and its installation by the guide. No systemd runs here: the
 * sandbox itself is not tested.
 */

const unit = join(repository, 'deploy/systemd/earshot.service');

test('systemd accepts every line of the unit', needs('systemd-analyze'), async () => {
  // The program and the folder of the guide are not on this machine.
  const copy = join(await openScratch(), 'earshot.service');
  await writeFile(copy, (await readFile(unit, 'utf8')).replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', copy], {
    encoding: 'utf8',
  });
  const own = stderr.split('\n').filter((line) => line.includes('earshot'));
  expect({ status, own }).toEqual({ status: 0, own: [] });
});

test('the sandbox is rated as good', needs('systemd-analyze'), () => {
  const args = ['security', '--offline=true', '--threshold=20', '--no-pager', unit];
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  expect({ status, stdout: status === 0 ? '' : stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
});

/** The values of a key of the unit. */
const valuesOf = (text: string, key: string): string[] =>
  [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value);

test('the installation of the guide works in a new Debian, and the service runs and is saved', needed, async () => {
  const root = await makeDebianRoot();
  onTestFinished(() => root.remove());
  await addSources(root, { ...superuser, home: '/opt' });
  await root.run(superuser, `set -e\n${await blockOf('install')}`);

  // What systemd does: it reads the settings, makes the folders, and starts the program as the user.
  const text = await readFile(join(root.folder, 'etc/systemd/system/earshot.service'), 'utf8');
  const settings = await readFile(join(root.folder, 'etc/earshot/earshot.env'), 'utf8');
  const lines = [...valuesOf(text, 'Environment').flatMap((line) => line.split(' ')), ...settings.split('\n')];
  const given = lines.filter((line) => /^\w+=/.test(line)).map((line) => line.split(/=(.*)/s).slice(0, 2));
  const port = await findFreePort();
  const environment: Record<string, string> = {
    ...(Object.fromEntries(given) as Record<string, string>),
    EARSHOT_PORT: String(port),
    EARSHOT_CAPTION_ENGINE: 'none',
  };
  await root.run(superuser, 'install -d -o earshot -g earshot -m 0700 /var/lib/earshot /var/cache/earshot');
  const [folder] = valuesOf(text, 'WorkingDirectory');
  const [command] = valuesOf(text, 'ExecStart');
  const service = { spec: 'earshot:earshot', home: '/var/lib/earshot' };
  const child = root.start(service, `cd ${folder} && umask 0077 && exec ${command}`, environment);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  await vi.waitUntil(() => output.includes('Earshot is ready at') || child.exitCode !== null, { timeout: 300_000 });
  expect(output).toContain(`Earshot is ready at ${environment['EARSHOT_PUBLIC_URL']}`);
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  await root.run(superuser, `set -e\n${await blockOf('backup')}`);
  child.kill('SIGTERM');
  await once(child, 'close');
  expect(child.exitCode).toBe(0);
  expect(output).toContain('PostgreSQL has stopped');
});
