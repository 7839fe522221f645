import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@earshot/server/testing/database';
import { recordingLog } from '@earshot/server/testing/log';
import { baseConfig, testNodeOptions } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { startNode } from '../../node.ts';

/** A TCP address of the database that can be cut: then connections are closed, and new ones are closed at once. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl);
  const folder = url.searchParams.get('host') ?? '';
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (isCut) return void socket.destroy();
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
  };
}

test('a node that cannot reach the database says so without a flood of lines, and works again when it can', async () => {
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
  expect((await readReady()).status).toBe(200);

  const before = log.lines.length;
  proxy.cut();
  await expect.poll(async () => (await readReady()).status).toBe(503);
  const refused = await readReady();
  expect(refused.headers.get('retry-after')).not.toBeNull();
  expect(((await refused.json()) as { detail: string }).detail).toMatch(/database/i);
  expect((await fetch(new URL('/healthz', node.url))).status).toBe(200);
  // Several loops run every second: each logs its first failure, and not each of the next ones.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  const warnings = log.lines.slice(before).filter(({ level }) => level !== 'info');
  const places = warnings.map(({ fields, message }) => `${message} ${(fields as { loop?: string }).loop ?? ''}`);
  expect(places.length).toBeGreaterThan(0);
  for (const place of places) expect(places.filter((other) => other === place).length, place).toBeLessThan(3);

  proxy.restore();
  await expect.poll(async () => (await readReady()).status, { timeout: 20_000 }).toBe(200);
});
