import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect as connectTo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { silentLog } from '../../testing/log.ts';
import { administer, createTestDatabase } from '../../testing/database.ts';
import { findFreePort } from '../../testing/free-port.ts';
import { connect } from './connect.ts';
import { readTarget } from './connection-target.ts';
import { avoid, closeClient, openClient } from './open-client.ts';
import { waitForDatabase } from './wait-for-database.ts';

/** Two TCP addresses of one database: `first` and `second` say where a session is. */
async function startHosts() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const url = new URL(database.url);
  const socketPath = join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port || 5432}`);
  const openHost = async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      const target = connectTo(socketPath);
      for (const end of [socket, target]) end.on('error', () => {});
      socket.pipe(target).pipe(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    return { port: (server.address() as AddressInfo).port, connections: () => connections };
  };
  const urlOf = (...ports: readonly number[]) =>
    `postgres://${url.username}:${url.password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}${url.pathname}`;
  return { database, name: url.pathname.slice(1), openHost, urlOf };
}

const openPool = (url: string) => {
  const db = connect(url, { connections: 2, name: 'hosts test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
};

test('a host that does not answer is passed over', async () => {
  const { openHost, urlOf } = await startHosts();
  const host = await openHost();
  const closed = await findFreePort();
  for (let round = 0; round < 4; round += 1) {
    const db = openPool(urlOf(closed, host.port));
    expect(await db`select 1 as number`).toEqual([{ number: 1 }]);
  }
  expect(host.connections()).toBe(4);
});

test('a server that accepts no changes is passed over, and left when it becomes one', async () => {
  const { database, name, openHost, urlOf } = await startHosts();
  const host = await openHost();
  const db = openPool(urlOf(await findFreePort(), host.port));
  await db`create table numbers (number int)`;
  // As after a demotion: new sessions accept no changes, and those that are open refuse them.
  await administer(database.url, `alter database ${name} set default_transaction_read_only = on`);
  await db`set default_transaction_read_only = on`;
  await expect(db`insert into numbers values (1)`).rejects.toMatchObject({ code: '25006' });
  await expect(db`select 1`).rejects.toThrow(/no host of the database can be used: .* is a standby or read-only/);
  await administer(
    database.url,
    `begin read write; alter database ${name} reset default_transaction_read_only; commit`,
  );
  await expect.poll(() => db`insert into numbers values (2) returning number`.catch(() => [])).toEqual([{ number: 2 }]);
});

test('notifications follow to the host that answers', async () => {
  const { openHost, urlOf } = await startHosts();
  const host = await openHost();
  const db = openPool(urlOf(await findFreePort(), host.port));
  const heard: string[] = [];
  let subscribed = 0;
  await db.listen(
    'hosts_test',
    (payload) => heard.push(payload),
    () => (subscribed += 1),
  );
  await db`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen "hosts_test"%'`;
  await expect.poll(() => subscribed).toBe(2);
  await db`select pg_notify('hosts_test', 'after')`;
  await expect.poll(() => heard).toEqual(['after']);
});

test('why no host can be used is told for each, and a wrong password is told as such', async () => {
  const { openHost, urlOf } = await startHosts();
  const ports = [await findFreePort(), await findFreePort()];
  const message = await openPool(urlOf(...ports))`select 1`.then(
    () => '',
    (error: Error) => error.message,
  );
  for (const port of ports) expect(message).toContain(`127.0.0.1:${port}: connect ECONNREFUSED`);
  const host = await openHost();
  const wrong = new URL(urlOf(host.port));
  wrong.password = 'wrong';
  const withDead = wrong.href.replace('127.0.0.1:', `127.0.0.1:${ports[0]},127.0.0.1:`);
  await expect(waitForDatabase(openPool(withDead), silentLog, new AbortController().signal)).rejects.toThrow(
    /the database cannot be used: password authentication failed/,
  );
});

test('the host that worked is tried first, one that fell silent last', async () => {
  const { openHost, urlOf } = await startHosts();
  const hosts = [await openHost(), await openHost()];
  const target = readTarget(urlOf(...hosts.map(({ port }) => port)));
  const openOne = async () => {
    const { client, host } = await openClient(target);
    closeClient(client);
    return host;
  };
  const first = await openOne();
  expect(await openOne()).toBe(first);
  avoid(target, first);
  const second = await openOne();
  expect(second).not.toBe(first);
  expect(await openOne()).toBe(second);
});
