import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Socket, connect as connectSocket } from 'node:net';
import { join } from 'node:path';
import type { Options, Sql } from 'postgres';
import { expect, inject, onTestFinished, test } from 'vitest';
import { administer, createTestDatabase } from '../../testing/database.ts';
import { connect, inTransaction, type Pool } from './connect.ts';
import { postgres } from './driver.ts';

async function openDatabase(): Promise<URL> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return new URL(database.url);
}

/** A pool of one connection, so that the next query uses the one that was lost. */
async function openPool(): Promise<Pool> {
  const url = await openDatabase();
  const db = connect(url.href, { connections: 1, name: 'driver test' });
  onTestFinished(() => db.end({ timeout: 1 }));
  await db`create table numbers (number int)`;
  return db;
}

// The server may announce the end (57P01) before it closes the connection.
const lostCode = expect.stringMatching(/^(57P01|CONNECTION_CLOSED|ECONNRESET)$/);

test('every further statement of a transaction whose connection was lost fails, and nothing else is affected', async () => {
  const db = await openPool();
  const transaction = inTransaction(db, async (tx) => {
    await tx`insert into numbers values (1)`;
    await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
    await tx`insert into numbers values (2)`;
  });
  await expect(transaction).rejects.toMatchObject({ code: lostCode });
  expect(await db`select number from numbers`).toEqual([]);
});

test('after the reconnect, its connection no longer belongs to that transaction', async () => {
  const db = await openPool();
  let resume = () => {};
  const resumed = new Promise<void>((resolve) => (resume = resolve));
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const transaction = inTransaction(db, async (tx) => {
    await tx`select pg_terminate_backend(pg_backend_pid())`.catch(() => {});
    await resumed;
    await tx`insert into numbers values (1)`.catch(() => {});
    end();
  });
  await expect(transaction).rejects.toMatchObject({ code: lostCode });

  await inTransaction(db, async (tx) => {
    await tx`insert into numbers values (2)`;
    resume();
    await ended;
    await tx`insert into numbers values (3)`;
  });
  expect(await db`select number from numbers order by number`).toEqual([{ number: 2 }, { number: 3 }]);
});

/** A pool of one connection that gives each of its sockets to `use` before it has written anything. */
async function openOnSockets(use: (socket: Socket) => void): Promise<Sql> {
  const { searchParams, username, password, pathname } = await openDatabase();
  const path = join(searchParams.get('host') ?? '', '.s.PGSQL.5432');
  const socket = async () => {
    const opened = connectSocket(path);
    await once(opened, 'connect');
    use(opened);
    return opened;
  };
  const options = { username, password, database: pathname.slice(1), max: 1, connect_timeout: 5, backoff: () => 0.01 };
  // The driver's types lack this option; its documentation has it.
  const sql = postgres({ ...options, socket } as Options<Record<never, never>>);
  onTestFinished(() => sql.end({ timeout: 1 }));
  return sql;
}

test('a connection lost with a write still to be sent works again after the reconnect', async () => {
  const sockets: Socket[] = [];
  const sql = await openOnSockets((socket) => void sockets.push(socket));
  await sql`select 1`;
  // After the last writes of this turn, and before the close events of its sockets.
  await nextTurn();
  const lost = sql`select 2`.execute();
  sockets[0]?.destroy();
  await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
  expect(await sql`select 3 as answer`).toEqual([{ answer: 3 }]);
});

/**
 * Calls `act` when the connection first queries the types of the database, before any other query, instead of sending
 * that.
 */
function whenAskedForTypes(act: (socket: Socket) => void): (socket: Socket) => void {
  let isFirst = true;
  return (socket) => {
    if (!isFirst) return;
    isFirst = false;
    const write = socket.write.bind(socket);
    socket.write = (data: string | Uint8Array) => {
      if (!data.toString().includes('pg_type')) return write(data);
      act(socket);
      return true;
    };
  };
}

test('if a connection is lost before its first query, that query fails and the next one reconnects', async () => {
  const sql = await openOnSockets(whenAskedForTypes((socket) => socket.destroy(new Error('reset'))));
  await expect(sql`select 1`).rejects.toThrow('reset');
  expect(await sql`select 2 as answer`).toEqual([{ answer: 2 }]);
});

test('if a connection is closed before its first query and then refused, the waiting query fails with the refusal', async () => {
  const closing = async (socket: Socket) => {
    await administer(inject('postgres').url, `alter database ${sql.options.database} allow_connections false`);
    socket.destroy();
  };
  const sql = await openOnSockets(whenAskedForTypes((socket) => void closing(socket)));
  await expect(sql`select 1`).rejects.toMatchObject({ code: '55000' });
});
