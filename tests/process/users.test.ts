import { chmod, chown, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  countProcesses,
  openScratch,
  readPostmasterPid,
} from '@earshot/server/platform/database/embedded/testing/scratch';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, expect, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { writeInstallation } from './checkout.ts';
import { launchServer, startServer, stopServer } from './server-process.ts';

const ordinary = { uid: 12_345, gid: 12_345 };
const command = [process.execPath, 'server/dist/main.js'] as const;

let installation: string | undefined;
afterAll(async () => {
  if (installation !== undefined) await rm(installation, { recursive: true });
});

/** One for all tests, which do not change it. */
async function openInstallation(): Promise<string> {
  if (installation !== undefined) return installation;
  installation = await mkdtemp(join(tmpdir(), 'earshot-installation-'));
  await chmod(installation, 0o755);
  await writeInstallation(installation);
  return installation;
}

const testAsRoot = (name: string, body: () => Promise<void>): void => test(name, needs('root', 'ordinary users'), body);

const ownerOf = async (path: string): Promise<number> => (await stat(path)).uid;

async function useAndStop(server: Awaited<ReturnType<typeof startServer>>, dataDir: string): Promise<void> {
  const { client } = await (await signInAdmin(server.url)).withKey();
  const device = await client.createDevice({ body: { deviceSerial: 'recorder-17' } });
  expect(await client.getDevice({ params: { deviceID: device.key ?? 0 } })).toEqual(device);
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
  expect(await countProcesses(dataDir)).toBe(0);
  expect(server.complaints()).toEqual([]);
}

testAsRoot('root: in a folder that only root may enter', async () => {
  const closed = join(await openScratch(), 'closed');
  await mkdir(closed, { mode: 0o700 });
  const dataDir = join(closed, 'data');
  const server = await startServer({ dataDir, settings: adminSettings });
  await useAndStop(server, dataDir);
});

testAsRoot('root: in a folder that anybody may enter, PostgreSQL runs as another user', async () => {
  const dataDir = join(await openScratch(), 'data');
  const server = await startServer({ dataDir, settings: adminSettings });
  expect(await ownerOf(`/proc/${await readPostmasterPid(dataDir)}`)).not.toBe(0);
  await useAndStop(server, dataDir);
});

test(
  'an ordinary user without a name: server and PostgreSQL run as that user, in a folder of that user',
  needs('root', 'ordinary users', 'namespaces'),
  async () => {
    const dataDir = join(await openScratch(), 'data');
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, ordinary.uid, ordinary.gid);
    const server = await startServer({
      dataDir,
      settings: adminSettings,
      checkout: await openInstallation(),
      command,
      ...ordinary,
    });
    const pids = [server.pid, await readPostmasterPid(dataDir)];
    expect(await Promise.all(pids.map((pid) => ownerOf(`/proc/${pid}`)))).toEqual([ordinary.uid, ordinary.uid]);
    expect(await ownerOf(join(dataDir, 'secret.key'))).toBe(ordinary.uid);
    await useAndStop(server, dataDir);
  },
);

testAsRoot('a data folder of another user is reported in one line', async () => {
  const dataDir = join(await openScratch(), 'data');
  await mkdir(dataDir, { mode: 0o755 });
  const server = launchServer({ dataDir, checkout: await openInstallation(), command, ...ordinary });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.complaints()).toEqual([expect.stringMatching(/^earshot: EARSHOT_DATA_DIR \S+ cannot be used: EACCES/)]);
});
