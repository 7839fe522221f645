import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  countProcesses,
  findProcessesNaming,
  openScratch,
} from '@earshot/server/platform/database/embedded/testing/scratch';
import { makeDataFolder } from '@earshot/server/testing/made-data';
import { expect, test, vi } from 'vitest';
import { adminSettings, adminSignIn, signInAdmin } from './admin.ts';
import { beginRequest, tryConnecting } from './probes.ts';
import { launchServer, startServer, stopServer } from './server-process.ts';

const patience = { interval: 20 };

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s: running requests are answered, new connections are refused, all child processes exit, and it exits with 0',
  async (signal) => {
    const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
    const server = await startServer({ dataDir, settings: adminSettings });
    const { credential } = await (await signInAdmin(server.url)).withKey();
    const underWay = await beginRequest(server.url, '/v1/device', { deviceSerial: 'last-one' }, credential);

    server.kill(signal);
    await vi.waitUntil(async () => (await tryConnecting(server.url)) === 'ECONNREFUSED', patience);
    expect(await underWay.finish()).toBe(200);

    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await tryConnecting(server.url)).toBe('ECONNREFUSED');
    expect(await countProcesses(dataDir)).toBe(0);
    expect(server.complaints()).toEqual([]);

    const next = await startServer({ dataDir });
    const { session } = await signInAdmin(next.url);
    expect(await session.listDevices({ body: {} })).toMatchObject([{ deviceSerial: 'last-one' }]);
  },
);

const npmStart = ['npm', 'start', '--silent'] as const;

// A supervisor signals only the process that it started.
test('SIGTERM to npm alone reaches the server', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const server = await startServer({ dataDir, command: npmStart });
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
  expect(server.said()).toContain('Earshot is stopping');
  expect(await countProcesses(dataDir)).toBe(0);
});

// As with Ctrl-C at `npm start`: the terminal signals npm and the server, and npm forwards its signal.
test('a second signal does not interrupt the stop', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const server = await startServer({ dataDir, settings: adminSettings, command: npmStart });
  const underWay = await beginRequest(server.url, '/v1/session', adminSignIn);

  server.killGroup('SIGINT');
  await vi.waitUntil(() => server.said().includes('Earshot is stopping'), patience);
  server.killGroup('SIGINT');
  expect(await underWay.finish()).toBe(200);

  await server.exited;
  expect(await countProcesses(dataDir)).toBe(0);
  expect(server.complaints()).toEqual([]);
});

test('a stop during the creation of the database leaves no process, and the next start works', async () => {
  const dataDir = join(await openScratch(), 'data');
  const creating = async () => {
    const names = await readdir(join(dataDir, 'postgres')).catch(() => []);
    return names.some((name) => name.startsWith('cluster.new-'));
  };
  const first = launchServer({ dataDir });
  await vi.waitUntil(creating, patience);
  expect(await stopServer(first)).toEqual({ code: 0, signal: null });
  expect(await findProcessesNaming(dataDir)).toEqual([]);
  expect(first.complaints()).toEqual([]);

  await startServer({ dataDir });
});
