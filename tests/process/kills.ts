import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Device } from '@earshot/contract/device';
import {
  countProcesses,
  openScratch,
  readPostmasterPid,
} from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, vi } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import { statusOf } from './probes.ts';
import { startServer, stopServer } from './server-process.ts';
import type { Acknowledged } from './writing-fleet.ts';
import { startWriting } from './writing-fleet.ts';

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0' };
const pageLength = 1_000;
const patience = { interval: 20 };

type Running = Awaited<ReturnType<typeof startServer>>;

async function listEveryDevice(client: Client, devices: number): Promise<Device[]> {
  const pages = await Promise.all(
    Array.from({ length: Math.ceil((devices + 1) / pageLength) }, (_, page) =>
      client.listDevices({ body: { order: 'asc', count: pageLength, offset: page * pageLength } }),
    ),
  );
  return pages.flat();
}

/**
 * Compares the stored devices with the writers' records, except the fields that a change of the description modifies.
 */
async function expectAsAcknowledged(client: Client, acknowledged: readonly Acknowledged[]): Promise<void> {
  const found = await listEveryDevice(client, acknowledged.length);
  const byKey = new Map(found.map(({ lastModifiedDate: _date, lastModifiedBy: _by, ...rest }) => [rest.key, rest]));
  const known = acknowledged.map(({ device, deviceDescription }) => {
    const { lastModifiedDate: _date, lastModifiedBy: _by, ...rest } = device;
    return { ...rest, deviceDescription };
  });
  expect(known.filter((device) => !isDeepStrictEqual(device, byKey.get(device.key)))).toEqual([]);
  expect(found).toHaveLength(known.length);
}

export async function killPostmaster(dataDir: string): Promise<number> {
  const pid = await readPostmasterPid(dataDir);
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** A backend answers briefly after its postmaster's death, so readiness alone does not prove a restart. */
export async function waitForAnother(killed: number | undefined, dataDir: string, url: string): Promise<void> {
  const findPid = () => readPostmasterPid(dataDir).catch(() => killed);
  await vi.waitUntil(async () => (await findPid()) !== killed, patience);
  await vi.waitUntil(async () => (await statusOf(url, '/readyz')) === 200, patience);
}

export interface Kills {
  readonly devices: number;
  readonly victims: readonly ('server' | 'postmaster' | 'both')[];
}

/** Two writes for each device, during which the victims are killed: all that was acknowledged exists unchanged. */
export async function surviveKills({ devices, victims }: Kills): Promise<void> {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  let server: Running = await startServer({ dataDir, settings });
  const { credential } = await (await signInAdmin(server.url)).withKey();
  let client = createClient({ url: server.url, credential });
  const startAgain = async () => {
    server = await startServer({ dataDir, settings });
    client = createClient({ url: server.url, credential });
  };

  const fleet = startWriting({ writers: 8, devices, client: () => client });
  for (const [index, victim] of victims.entries()) {
    // Every kill happens during writes, because each waits for a part of them and leaves some.
    const share = Math.floor((2 * devices * (index + 0.5)) / victims.length);
    await vi.waitUntil(() => fleet.writes() >= share, patience);
    await sleep(randomInt(100));
    if (victim !== 'postmaster') server.kill('SIGKILL');
    const killed = victim === 'server' ? undefined : await killPostmaster(dataDir);
    if (victim === 'postmaster') await waitForAnother(killed, dataDir, server.url);
    else await server.exited.then(startAgain);
  }
  await fleet.done;
  expect(fleet.wrongAnswers).toEqual([]);
  expect(fleet.writes()).toBe(2 * devices);

  await expectAsAcknowledged(client, fleet.acknowledged);
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
  expect(await countProcesses(dataDir)).toBe(0);

  await startAgain();
  await expectAsAcknowledged(client, fleet.acknowledged);
}
