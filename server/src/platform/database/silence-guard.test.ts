import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { connect as connectTo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../testing/database.ts';
import { connect, inTransaction } from './connect.ts';

/** A TCP address of the database whose connections can fall silent: nothing is passed on, and nothing is closed. */
async function startSilentProxy() {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const url = new URL(database.url);
  const pairs: (readonly [Socket, Socket])[] = [];
  let isSilent = false;
  const server = createServer((socket) => {
    const target = connectTo(join(url.searchParams.get('host') ?? '', `.s.PGSQL.${url.port || 5432}`));
    for (const end of [socket, target]) end.on('error', () => {});
    pairs.push([socket, target]);
    if (!isSilent) socket.pipe(target).pipe(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const end of pairs.flat()) end.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const silence = (chosen: typeof pairs) => {
    for (const [socket, target] of chosen) {
      socket.unpipe(target).pause();
      target.unpipe(socket).pause();
    }
  };
  return {
    url: `postgres://${url.username}:${url.password}@127.0.0.1:${port}${url.pathname}`,
    /** As a host without power: connections stay open, and new ones are not answered. */
    silenceAll() {
      isSilent = true;
      silence(pairs);
    },
    silenceFirst: () => silence(pairs.slice(0, 1)),
    answerNewOnes: () => (isSilent = false),
  };
}

function openPool(url: string, connections: number) {
  const db = connect(url, { connections, name: 'silence test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  return db;
}

const silent = { code: 'CONNECTION_SILENT' };

test('queries and transactions of a host that is gone end with an error, and go on when it is back', async () => {
  const proxy = await startSilentProxy();
  const db = openPool(proxy.url, 4);
  await Promise.all([db`select 1`, db`select pg_sleep(0.1)`, db`select pg_sleep(0.1)`]);
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  const transaction = inTransaction(db, async (tx) => {
    await tx`select 1`;
    begun();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await tx`select 2`;
  });
  await isBegun;
  proxy.silenceAll();
  const outcomes = await Promise.allSettled([transaction, db`select 3`, db`select 4`]);
  expect(outcomes).toEqual(outcomes.map(() => ({ status: 'rejected', reason: expect.objectContaining(silent) })));
  await expect(db`select 5`).rejects.toMatchObject({ code: 'CONNECT_TIMEOUT' });
  proxy.answerNewOnes();
  await expect.poll(() => db`select 6 as number`.catch(() => [])).toEqual([{ number: 6 }]);
});

test('a statement that PostgreSQL works on is left to its own limit', async () => {
  const proxy = await startSilentProxy();
  const db = openPool(proxy.url, 1);
  expect(await db`select 7 as number, pg_sleep(11)::text as slept`).toEqual([{ number: 7, slept: '' }]);
});

test('one connection that fell silent does not end the others', async () => {
  const proxy = await startSilentProxy();
  const db = openPool(proxy.url, 2);
  await Promise.all([db`select pg_sleep(0.1)`, db`select pg_sleep(0.1)`]);
  const kept = await db<{ pid: number }[]>`select pg_backend_pid() as pid`;
  proxy.silenceFirst();
  const answers = await Promise.allSettled([db`select pg_backend_pid() as pid`, db`select pg_backend_pid() as pid`]);
  const [answered] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([
    { status: 'rejected', reason: expect.objectContaining(silent) },
  ]);
  expect(kept).toHaveLength(1);
  expect(answered).toHaveLength(1);
  expect(await db`select 8 as number`).toEqual([{ number: 8 }]);
});

test('who waits for a connection longer than a statement may take gets an error', async () => {
  const proxy = await startSilentProxy();
  const db = connect(proxy.url, { connections: 1, name: 'silence test', statementTimeoutMs: 2_000 });
  onTestFinished(() => db.end({ timeout: 1 }));
  let end = () => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  const holder = inTransaction(db, () => isOver);
  await expect(db`select 1`).rejects.toMatchObject({ code: 'CONNECTION_BUSY' });
  end();
  await holder;
  expect(await db`select 9 as number`).toEqual([{ number: 9 }]);
});
