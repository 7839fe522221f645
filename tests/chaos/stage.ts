import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientOptions } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import type { ObjectStore } from '@earshot/server/platform/storage/tests/object-store';
import { startObjectStore } from '@earshot/server/platform/storage/tests/object-store';
import { findFreePort } from '@earshot/server/testing/free-port';
import { isMissing } from '@earshot/server/testing/needs';
import { onTestFinished } from 'vitest';
import { findFakeTime } from '../../scripts/parts.mjs';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { startFaultyNetwork } from '../process/faulty-network.ts';
import type { Device } from '../process/journey-devices.ts';
import { startAgent } from '../process/journey-devices.ts';
import type { ServerProcess } from '../process/server-process.ts';
import { startServer } from '../process/server-process.ts';
import type { SmallDisk } from '../process/small-disk.ts';
import { diskOf, onSmallDisk } from '../process/small-disk.ts';
import { startDatabasePair } from './database-pair.ts';
import { startFront } from './front.ts';
import { startStoreProxy } from './store-proxy.ts';

const diskMegabytes = 64;
const startPauseMs = 500;

/** A node or a worker, which is started again as its supervisor would. */
export interface Program {
  readonly name: string;
  /** Ends it at once and starts it again. */
  crash(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** Of the node that has a small one. */
  readonly disk: () => SmallDisk | undefined;
  /** Lets its clock be so many seconds ahead; undefined where no clock can be changed. */
  readonly setClock: ((seconds: number) => Promise<void>) | undefined;
  /** Of every start, so that no fault of the product is missed. */
  faults(): string[];
}

export type Stage = Awaited<ReturnType<typeof setStage>>;

/** The whole platform: two nodes, two workers, two PostgreSQL, an object store, a load balancer, and two agents. */
export async function setStage() {
  const pair = await startDatabasePair('earshot');
  const ceph: ObjectStore = await startObjectStore();
  onTestFinished(() => ceph.stop());
  const store = await startStoreProxy(ceph.endpoint);
  const folder = await openScratch();
  const settings = {
    ...adminSettings,
    EARSHOT_DATABASE_URL: pair.url,
    EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
    EARSHOT_STORAGE_URL: ceph.url.replace(ceph.endpoint, store.endpoint),
    EARSHOT_S3_ACCESS_KEY: ceph.accessKey,
    EARSHOT_S3_SECRET_KEY: ceph.secretKey,
    EARSHOT_ALLOW_NETWORKS: '127.0.0.0/8',
    EARSHOT_DATABASE_CONNECTIONS: '16',
    EARSHOT_LEAST_FREE_MB: '8',
    EARSHOT_RATE_LIMIT: '0',
  };
  const startProgram = async (
    name: string,
    changes: Readonly<Record<string, string>>,
    { hasSmallDisk = false, hasOwnClock = false } = {},
  ): Promise<Program> => {
    const dataDir = join(folder, name);
    const clock = join(folder, `${name}.clock`);
    const library = hasOwnClock ? findFakeTime() : undefined;
    await writeFile(clock, '+0\n', { mode: 0o644 });
    const fakeTime: Record<string, string> =
      library === undefined
        ? {}
        : {
            LD_PRELOAD: library,
            FAKETIME_TIMESTAMP_FILE: clock,
            FAKETIME_CACHE_DURATION: '1',
            DONT_FAKE_MONOTONIC: '1',
            FAKETIME_DONT_FAKE_MONOTONIC: '1',
          };
    const command =
      hasSmallDisk && !isMissing('root') && !isMissing('mounts')
        ? await onSmallDisk(dataDir, diskMegabytes)
        : undefined;
    const launched: ServerProcess[] = [];
    // After the process itself was ended, which is asked for later.
    if (library !== undefined) onTestFinished(() => removeSharedClocks(launched));
    const start = async (): Promise<ServerProcess> => {
      for (;;) {
        try {
          const started = await startServer({
            dataDir,
            settings: { ...settings, ...changes, ...fakeTime },
            ...(command ? { command } : {}),
          });
          launched.push(started);
          return started;
        } catch (error) {
          // A supervisor starts it again, for example while the database has no primary.
          if (launched.length === 0) throw error;
          await sleep(startPauseMs);
        }
      }
    };
    let running = await start();
    return {
      name,
      async crash() {
        running.killGroup('SIGKILL');
        await running.exited;
        running = await start();
      },
      signal: (signal) => running.killGroup(signal),
      disk: () => (command ? diskOf(running.pid, dataDir) : undefined),
      setClock:
        library === undefined
          ? undefined
          : (seconds) => writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`, { mode: 0o644 }),
      faults: () =>
        launched.flatMap((each) => [
          ...each.complaints().map((line) => `${name} wrote: ${line}`),
          ...each
            .logged()
            .filter(({ msg }) => msg === 'fault')
            .map((line) => `${name} logged: ${JSON.stringify(line).slice(0, 1_500)}`),
        ]),
    };
  };

  const ports = [await findFreePort(), await findFreePort()] as const;
  const asNode = (port: number) => ({ EARSHOT_ROLE: 'server', EARSHOT_PORT: String(port) });
  const worker = { EARSHOT_ROLE: 'worker' };
  // One after the other: the first one migrates.
  const nodes = [
    await startProgram('node-one', asNode(ports[0]), { hasOwnClock: true }),
    await startProgram('node-two', asNode(ports[1]), { hasSmallDisk: true }),
  ];
  const workers = [
    await startProgram('worker-one', worker, { hasOwnClock: true }),
    await startProgram('worker-two', worker),
  ];
  const front = await startFront(ports);
  await sleep(startPauseMs);
  const { url } = front.network;
  const admin = await signInAdmin(url);
  const { credential } = await admin.withKey();
  const options: ClientOptions = { url, credential };
  const field = await startFaultyNetwork(front.network.port);
  return { folder, pair, store, nodes, workers, front, url, field, admin, options, ports };
}

/** What the library of the clock leaves behind of a process that was killed. */
async function removeSharedClocks(processes: readonly ServerProcess[]): Promise<void> {
  for (const { pid } of processes)
    for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`])
      await rm(join('/dev/shm', name), { force: true });
}

/** A recorder with a real agent, which reaches the platform over the network of the field. */
export async function addAgent(
  { folder, admin, options, field }: Stage,
  serial: string,
  upload: 'requested' | 'atOnce',
): Promise<Device> {
  const { key: deviceID = 0 } = await createClient(options).createDevice({
    body: { deviceSerial: serial, autoCaption: false },
  });
  const { accessKey, secretKey } = (await admin.withKey({ deviceID })).credential;
  const recordings = join(folder, serial, 'recordings');
  await mkdir(recordings, { recursive: true });
  const configPath = join(folder, serial, 'agent.json');
  const config = {
    server: field.url,
    deviceSerial: serial,
    accessKey,
    secretKey,
    folder: join(folder, serial, 'agent'),
    upload,
    sources: [{ kind: 'folder', path: recordings, settleSeconds: 0 }],
  };
  await writeFile(configPath, JSON.stringify(config), { mode: 0o600 });
  return { serial, deviceID, recordings, configPath, agent: startAgent(configPath) };
}
