import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@earshot/server/testing/database';
import { createPeople } from '@earshot/server/testing/person';
import { recordingLog } from '@earshot/server/testing/log';
import { adminEmail, adminPassword, baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../../node.ts';
import { ConnectionError } from '../../platform/database/connection-error.ts';
import { createDatabaseWatch } from '../../platform/database/database-watch.ts';
import { openStream } from '../live/tests/stream.ts';

/** A TCP address of the database that can be cut: then connections are closed, and new ones are closed at once. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let isCut = false;
  let refused = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (isCut) {
      refused += 1;
      return void socket.destroy();
    }
    const database = connectTo(join(folder, `.s.PGSQL.${url.port || 5432}`));
    for (const end of [socket, database]) sockets.add(end);
    database.on('error', () => socket.destroy());
    socket.pipe(database).pipe(socket);
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    restore() {
      isCut = false;
    },
    /** Connections that were closed at once. */
    refused: () => refused,
  };
}

/** Longer than createDatabaseWatch holds a line back. */
const heldMs = 2_100;
const lostLine = 'the database cannot be reached; requests are answered 503 until it can';

test('one line says that the database is lost and one that it is back; all else is silent meanwhile', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const proxy = await startProxy(database.url);
  onTestFinished(() => proxy.cut());
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-lost-database-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const log = recordingLog();
  const node = await startNode({
    ...testNodeOptions(baseConfig(dataDir, proxy.url, randomBytes(32)), log),
    passwordCost: { memoryCost: 64, timeCost: 1, parallelism: 1 },
  });
  onTestFinished(() => node.stop());
  const readReady = () => fetch(new URL('/readyz', node.url));
  const readGauge = async () =>
    /^earshot_database_reachable (\d)$/m.exec(await (await fetch(new URL('/metrics', node.url))).text())?.[1];
  expect((await readReady()).status).toBe(200);
  expect(await readGauge()).toBe('1');
  const admin = await createPeople(node.url).signIn(adminEmail, adminPassword);
  // Subscribers and long polls use the database too.
  const { key: deviceID = 0 } = await admin.session.createDevice({ body: { deviceSerial: 'lost-1' } });
  const { client } = await admin.withKey({ deviceID });
  const streams = [await openStream(node.url, admin), await openStream(node.url, admin)];
  onTestFinished(() => streams.forEach((stream) => stream.close()));
  const poll = client.longPollEvents({ body: { deviceSerial: 'lost-1' } }).catch(() => {});

  for (const round of [1, 2]) {
    const before = log.lines.length;
    const lines = () => log.lines.slice(before).filter(({ message }) => message !== 'request');
    proxy.cut();
    await expect.poll(async () => (await readReady()).status).toBe(503);
    await expect.poll(() => lines().map(({ message }) => message)).toEqual([lostLine]);
    const refused = await readReady();
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(((await refused.json()) as { detail: string }).detail).toMatch(/^The database cannot be reached: /);
    expect((await fetch(new URL('/healthz', node.url))).status).toBe(200);
    expect(await readGauge()).toBe('0');
    // Loops fail, and so do requests, many times.
    const enough = proxy.refused() + 15;
    await expect
      .poll(async () => {
        await expect(admin.session.listOwnDevices()).rejects.toMatchObject({ status: 503 });
        return proxy.refused();
      })
      .toBeGreaterThan(enough);
    proxy.restore();
    await expect.poll(async () => (await readReady()).status).toBe(200);
    expect(await readGauge()).toBe('1');
    // Lines that were held back for a moment would be written before a timer that is started later.
    await new Promise((resolve) => setTimeout(resolve, heldMs));
    expect(
      lines().map(({ level, message }) => [level, message]),
      `round ${round}`,
    ).toEqual([
      ['error', lostLine],
      ['info', 'the database can be reached again'],
    ]);
  }
  await admin.session.deleteDevice({ params: { deviceID } });
  await poll;
});

test('a connection that is lost alone is reported by those who use it', async () => {
  const log = recordingLog();
  const watch = createDatabaseWatch(log);
  watch.connected();
  const lost = { error: new ConnectionError('CONNECTION_CLOSED', 'closed') };
  watch.log.warn(lost, 'the cluster connection was lost; reconnecting');
  watch.log.warn({ error: new Error('a bug', { cause: new Error('none') }) }, 'another failure');
  expect(log.lines.map(({ message }) => message)).toEqual(['another failure']);
  await expect.poll(() => log.lines.length).toBe(2);
  expect(log.lines[1]).toMatchObject({ level: 'warn', message: 'the cluster connection was lost; reconnecting' });
});
