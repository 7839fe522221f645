import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import { createClient } from '@earshot/client/client';
import { connect, inTransaction } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { administer } from '@earshot/server/testing/database';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { adminSettings, signInAdmin } from './admin.ts';
import type { ExternalPostgres } from './external-postgres.ts';
import { startExternalPostgres } from './external-postgres.ts';
import { statusOf } from './probes.ts';
import type { ServerProcess } from './server-process.ts';
import { launchServer, repository, startServer, stopServer } from './server-process.ts';

const patience = { interval: 50 };

let postgres: ExternalPostgres;
beforeAll(async () => {
  postgres = await startExternalPostgres();
});
afterAll(() => postgres?.remove());

interface Installation {
  readonly external: ExternalPostgres;
  readonly databaseUrl: string;
  /** Starts a node on the same database, with its own data folder. */
  readonly launch: (changes?: Readonly<Record<string, string>>) => Promise<ServerProcess>;
  readonly start: (changes?: Readonly<Record<string, string>>) => Promise<ServerProcess & { readonly url: string }>;
}

/** Gives the test an empty database. */
function testWithDatabase(name: string, body: (installation: Installation) => Promise<void>): void {
  test(name, needs('postgresql'), async () => {
    const database = `earshot_${randomBytes(4).toString('hex')}`;
    await administer(postgres.url('postgres'), `create database ${database}`);
    const databaseUrl = postgres.url(database);
    const secretKey = randomBytes(32).toString('base64');
    const settings = { ...adminSettings, EARSHOT_DATABASE_URL: databaseUrl, EARSHOT_SECRET_KEY: secretKey };
    const options = async (changes: Readonly<Record<string, string>> = {}) => ({
      dataDir: join(await openScratch(), 'data'),
      settings: { ...settings, ...changes },
    });
    await body({
      external: postgres,
      databaseUrl,
      launch: async (changes) => launchServer(await options(changes)),
      start: async (changes) => startServer(await options(changes)),
    });
  });
}

/** Blocks the creation of the migrations' table until this many nodes wait for it. */
async function holdBackMigrations(databaseUrl: string, nodes: number): Promise<void> {
  const db = connect(databaseUrl, { connections: 2, name: 'earshot tests' });
  const givenUp = new Error('the blocked migrations may continue');
  const holding = inTransaction(db, async (tx) => {
    await tx`create table schema_migrations ()`;
    const areWaiting = async () => {
      const waiting = await db`
        select from pg_stat_activity
        where datname = current_database() and application_name = 'earshot' and wait_event_type = 'Lock'`;
      return waiting.length === nodes;
    };
    await vi.waitUntil(areWaiting, patience);
    throw givenUp;
  });
  await expect(holding).rejects.toBe(givenUp);
  await db.end();
}

testWithDatabase(
  'two nodes that start at the same time on an empty database: one migrates, both serve',
  async ({ start, databaseUrl }) => {
    const [nodes] = await Promise.all([Promise.all([start(), start()]), holdBackMigrations(databaseUrl, 2)]);
    for (const { url } of nodes) {
      expect(await statusOf(url, '/readyz')).toBe(200);
      expect(await (await signInAdmin(url)).session.listUsers()).toHaveLength(1);
    }
    await Promise.all(nodes.map(stopServer));
    const migrated = nodes.flatMap((node) => node.logged()).filter(({ msg }) => msg === 'migrated');
    const files = await readdir(join(repository, 'server/migrations'));
    expect(migrated.map(({ migration }) => String(migration)).toSorted()).toEqual(files.toSorted());
    expect(nodes.flatMap((node) => node.complaints())).toEqual([]);
  },
);

testWithDatabase('a key deleted through one node is refused by another at once', async ({ start }) => {
  const [one, other] = await Promise.all([start(), start()]);
  const admin = await signInAdmin(one.url);
  for (let round = 0; round < 5; round += 1) {
    const { credential, apiKeyID } = await admin.withKey();
    const atOther = createClient({ url: other.url, credential });
    await atOther.createDevice({ body: { deviceSerial: `recorder-${round}` } });
    expect(await atOther.listDevices({ body: {} })).toHaveLength(round + 1);
    await admin.session.deleteApiKey({ params: { apiKeyID } });
    await expect(atOther.listDevices({ body: {} })).rejects.toMatchObject({ status: 401 });
  }
});

testWithDatabase('a node with another secret key stops with one line', async ({ start, launch }) => {
  await start();
  for (const key of ['', randomBytes(32).toString('base64')]) {
    const stranger = await launch({ EARSHOT_SECRET_KEY: key });
    expect(await stranger.exited).toEqual({ code: 1, signal: null });
    expect(stranger.complaints()).toEqual([
      expect.stringMatching(/^earshot: the secret key is not the one .*EARSHOT_SECRET_KEY$/),
    ]);
  }
});

testWithDatabase(
  'a wrong password or an unknown database is reported in one line, without the password',
  async ({ launch, databaseUrl }) => {
    const wrongPassword = new URL(databaseUrl);
    wrongPassword.password = 'hidden-one';
    const unknownDatabase = new URL(databaseUrl);
    unknownDatabase.pathname = '/nowhere';
    for (const [url, telling] of [
      [wrongPassword, 'password authentication failed for user "owner"'],
      [unknownDatabase, 'database "nowhere" does not exist'],
    ] as const) {
      const node = await launch({ EARSHOT_DATABASE_URL: url.href });
      expect(await node.exited).toEqual({ code: 1, signal: null });
      expect(node.complaints()).toEqual([`earshot: the database cannot be used: ${telling}`]);
      const everything = `${node.said()}${JSON.stringify(node.logged())}`;
      for (const secret of [url.password, decodeURIComponent(url.password)]) expect(everything).not.toContain(secret);
    }
  },
);

testWithDatabase(
  'while the database is stopped requests get 503, and work again after its start',
  async ({ external, start }) => {
    const node = await start();
    const { client } = await (await signInAdmin(node.url)).withKey();
    const device = await client.createDevice({ body: { deviceSerial: 'recorder-17' } });
    const params = { deviceID: device.key ?? 0 };
    for (let round = 0; round < 2; round += 1) {
      await external.stop();
      expect(await statusOf(node.url, '/healthz')).toBe(200);
      expect(await statusOf(node.url, '/readyz')).toBe(503);
      const refusal = await client
        .updateDevice({ params, body: { deviceName: 'lost' } })
        .catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ApiError);
      expect(refusal).toMatchObject({ status: 503, retryAfterSeconds: 1 });
      await expect(client.getDevice({ params })).rejects.toMatchObject({ status: 503 });

      await external.start();
      await vi.waitUntil(async () => (await statusOf(node.url, '/readyz')) === 200, patience);
      // More requests than connections, so that each connection is used.
      const answers = await Promise.all(Array.from({ length: 60 }, () => client.getDevice({ params })));
      expect(answers).toEqual(answers.map(() => device));
    }
    expect(node.complaints()).toEqual([]);
  },
);

testWithDatabase('a node that is stopped while it waits for its database exits with 0', async ({ launch }) => {
  const node = await launch({ EARSHOT_DATABASE_URL: 'postgres://owner:hidden@127.0.0.1:1/earshot' });
  await vi.waitUntil(() => node.logged().some(({ msg }) => msg === 'waiting for the database'), patience);
  expect(await stopServer(node)).toEqual({ code: 0, signal: null });
  expect(node.complaints()).toEqual([]);
});
