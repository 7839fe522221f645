import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findFreePort } from '@earshot/server/testing/free-port';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import type { Image } from './image.ts';
import { buildImage, imageVersion, runInContainer, startContainer } from './image.ts';

/*
 * The image of deploy/Containerfile, both of its stages, on a Debian made here instead of the base in a registry.
 * Needs root, mmdebstrap, buildah, a Debian mirror and the npm registry.
 */

const needed = needs('root', 'mmdebstrap', 'buildah');
let image: Image;
beforeAll(async () => {
  image = await buildImage();
}, 3_600_000);
afterAll(() => image?.remove());

async function makeVolume(): Promise<string> {
  const folder = join(await openScratch(), 'data');
  await mkdir(folder);
  const [uid = 0, gid = 0] = image.config.User.split(':').map(Number);
  await chown(folder, uid, gid);
  return folder;
}

async function launch(volume: string) {
  const port = await findFreePort();
  const settings = { EARSHOT_PORT: String(port), EARSHOT_CAPTION_ENGINE: 'none', ...adminSettings };
  const child = startContainer(image, volume, settings);
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  await vi.waitUntil(() => output.includes('Earshot is ready at') || child.exitCode !== null, { timeout: 300_000 });
  expect(output).toContain('Earshot is ready at');
  const [pid = 0] = (await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8')).split(' ').map(Number);
  return { child, pid, settings, url: `http://127.0.0.1:${port}`, output: () => output };
}

test('the image has an ordinary user, a health check and a volume, and nothing that only a build needs', needed, () => {
  expect(image.config).toMatchObject({ User: '10001:10001', Volumes: { '/data': {} } });
  expect(image.config.Healthcheck.Test[0]).toBe('CMD');
  for (const name of ['server/dist/main.js', 'server/dist/backup.js', 'console/dist/index.html', 'agent/install.sh']) {
    expect(existsSync(join(image.folder, 'app', name))).toBe(true);
  }
  for (const name of ['server/src', 'tests', 'node_modules/vitest', 'node_modules/typescript', 'node_modules/vite']) {
    expect(existsSync(join(image.folder, 'app', name))).toBe(false);
  }
});

test('it runs as its user, without capabilities, on a read-only file system, and keeps its data', needed, async () => {
  const volume = await makeVolume();
  const first = await launch(volume);
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  expect((await fetch(first.url)).headers.get('content-type')).toContain('text/html');
  const admin = await signInAdmin(first.url);
  await admin.session.createDevice({ body: { deviceSerial: 'kept' } });

  const status = await readFile(`/proc/${first.pid}/status`, 'utf8');
  expect(status).toMatch(/^Uid:\t10001\t10001\t10001\t10001$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  const inside = (...command: string[]) => runInContainer(image, first.pid, command, first.settings);
  expect(await inside('touch', '/app/file')).toMatchObject({
    output: expect.stringContaining('Read-only file system'),
  });
  expect(await inside(...image.config.Healthcheck.Test.slice(1))).toEqual({ code: 0, output: '' });
  expect(await inside('node', 'server/dist/backup.js', 'verify')).toMatchObject({ code: 0 });
  expect(await inside('node', 'cli/bin/earshot.mjs', '--version')).toEqual({ code: 0, output: `${imageVersion}\n` });
  expect(first.output()).toContain(`Earshot ${imageVersion} is starting`);

  process.kill(first.pid, 'SIGTERM');
  await once(first.child, 'close');
  expect(first.child.exitCode).toBe(0);
  expect(first.output()).toContain('PostgreSQL has stopped');

  const second = await launch(volume);
  const devices = await (await signInAdmin(second.url)).session.listDevices({ body: {} });
  expect(devices).toMatchObject([{ deviceSerial: 'kept' }]);
  process.kill(second.pid, 'SIGTERM');
  await once(second.child, 'close');
});

test('the health check fails where nothing answers', needed, async () => {
  const { pid, settings, child } = await launch(await makeVolume());
  const nowhere = { ...settings, EARSHOT_PORT: '9' };
  expect(await runInContainer(image, pid, image.config.Healthcheck.Test.slice(1), nowhere)).toMatchObject({ code: 1 });
  process.kill(pid, 'SIGTERM');
  await once(child, 'close');
});
