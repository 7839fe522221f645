import { join } from 'node:path';
import { createClient } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import type { Device } from '@earshot/contract/device';
import {
  countProcesses,
  openScratch,
  readPostmasterPid,
} from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { killPostmaster, surviveKills, waitForAnother } from './kills.ts';
import { startServer, stopServer } from './server-process.ts';

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0' };

// crash.long.test.ts has more writes and more kills.
test('server and PostgreSQL are killed repeatedly: all 800 acknowledged writes exist unchanged', async () => {
  await surviveKills({ devices: 400, victims: ['server', 'postmaster', 'both'] });
});

test('if only the server is killed, the next one takes over its PostgreSQL', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const first = await startServer({ dataDir, settings });
  const { credential } = await (await signInAdmin(first.url)).withKey();
  const created = await addDevice(first.url, credential);
  const pid = await readPostmasterPid(dataDir);
  first.kill('SIGKILL');
  await first.exited;
  expect(await countProcesses(dataDir)).toBeGreaterThan(0);

  const second = await startServer({ dataDir, settings });
  expect(await readPostmasterPid(dataDir)).toBe(pid);
  const client = createClient({ url: second.url, credential });
  expect(await client.getDevice({ params: { deviceID: created.key ?? 0 } })).toEqual(created);

  await waitForAnother(await killPostmaster(dataDir), dataDir, second.url);
  expect(await client.getDevice({ params: { deviceID: created.key ?? 0 } })).toEqual(created);

  expect(await stopServer(second)).toEqual({ code: 0, signal: null });
  expect(await countProcesses(dataDir)).toBe(0);
});

function addDevice(url: string, credential: Credential): Promise<Device> {
  return createClient({ url, credential }).createDevice({ body: { deviceSerial: 'recorder-17' } });
}
