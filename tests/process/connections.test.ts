import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { administer } from '@earshot/server/testing/database';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import type { ExternalPostgres } from './external-postgres.ts';
import { startExternalPostgres } from './external-postgres.ts';
import { statusOf } from './probes.ts';
import { launchServer, startServer, stopServer } from './server-process.ts';

const needed = needs('postgresql');

let postgres: ExternalPostgres;
beforeAll(async () => {
  postgres = await startExternalPostgres();
});
afterAll(() => postgres?.remove());

/** A database whose role has a connection limit, and the settings of nodes on it. */
async function limitedTo(external: ExternalPostgres, connections: number) {
  const name = `limited_${randomBytes(4).toString('hex')}`;
  await administer(
    external.url('postgres'),
    `create role ${name} login password 'hidden' connection limit ${connections}`,
  );
  await administer(external.url('postgres'), `create database ${name} owner ${name}`);
  const url = new URL(external.url(name));
  [url.username, url.password] = [name, 'hidden'];
  const settings = {
    ...adminSettings,
    EARSHOT_RATE_LIMIT: '0',
    EARSHOT_DATABASE_URL: url.href,
    EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
  };
  return { name, options: async () => ({ dataDir: join(await openScratch(), 'data'), settings }) };
}

/** Concurrent reads and writes, many more than a node has connections; returns the failures. */
async function load(client: Client, prefix: string, requests: number): Promise<string[]> {
  const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: prefix } });
  const params = { deviceID };
  const work = Array.from({ length: requests }, async (_, index) => {
    if (index % 3 === 0) await client.createDevice({ body: { deviceSerial: `${prefix}-${index}` } });
    else if (index % 3 === 1) await client.updateDevice({ params, body: { deviceName: `name ${index}` } });
    else await client.listDevices({ body: {} });
  });
  const outcomes = await Promise.allSettled(work);
  return outcomes.flatMap((outcome) => {
    if (outcome.status === 'fulfilled') return [];
    const { reason } = outcome as { reason: unknown };
    return [reason instanceof ApiError ? `${reason.status} ${reason.message}` : String(reason)];
  });
}

test('two nodes of 20 connections on a database that permits 20: every request is answered', needed, async () => {
  const { name, options } = await limitedTo(postgres, 20);
  const nodes = [await startServer(await options()), await startServer(await options())];
  const { credential } = await (await signInAdmin(nodes[0]!.url)).withKey();
  for (let round = 0; round < 3; round += 1) {
    const failures = await Promise.all(
      nodes.map(({ url }, index) => load(createClient({ url, credential }), `r-${round}-${index}`, 150)),
    );
    expect(failures.flat()).toEqual([]);
    expect(await Promise.all(nodes.map(({ url }) => statusOf(url, '/readyz')))).toEqual([200, 200]);
  }

  const db = connect(postgres.url(name), { connections: 1, name: 'earshot tests' });
  const held = async () => {
    const [row] = await db<{ count: number; cluster: number }[]>`
    select count(*), count(*) filter (where application_name = 'earshot cluster') as cluster
    from pg_stat_activity where usename = ${name}`;
    return row;
  };
  // Each node has two connections in addition to its pool; one that was lost under load comes back.
  await expect.poll(async () => (await held())?.cluster).toBe(4);
  expect((await held())?.count).toBeLessThanOrEqual(20);
  await db.end();

  for (const node of nodes) expect(await stopServer(node)).toEqual({ code: 0, signal: null });
  const logged = nodes.flatMap((node) => node.logged().map(({ msg }) => msg));
  const refusals = logged.filter((message) => message.startsWith('the database accepts no further connection'));
  expect(refusals.length).toBeGreaterThan(0);
  expect(refusals.length).toBeLessThanOrEqual(nodes.length * 3);
  expect(logged.filter((message) => message === 'fault')).toEqual([]);
});

test.for<readonly [number, string]>([
  [
    10,
    'EARSHOT_DATABASE_CONNECTIONS (20) and 2 more. Raise that limit, or set EARSHOT_DATABASE_CONNECTIONS to 8 or less',
  ],
  [3, 'EARSHOT_DATABASE_CONNECTIONS (20) and 2 more. Raise that limit'],
])('with a limit of %i connections the start fails with a line of advice', needed, async ([limit, advice]) => {
  const { name, options } = await limitedTo(postgres, limit);
  const node = launchServer(await options());
  expect(await node.exited).toEqual({ code: 1, signal: null });
  expect(node.complaints()).toEqual([
    `earshot: the database permits ${limit} connections (the role ${name} has a connection limit of ${limit}) and this node needs 22: ${advice}`,
  ]);
});
