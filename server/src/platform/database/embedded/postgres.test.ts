import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { makeDataFolder } from '../../../testing/made-data.ts';
import { asAdministrator } from './administrator.ts';
import { largestLogBytes, limitServerLog, readSince } from './server-log.ts';
import {
  connectTo,
  countProcesses,
  findProcessesNaming,
  openScratch,
  readPostmasterPid,
  startIn,
} from './testing/scratch.ts';

test('the first start creates the database, and its data exists after the second', async () => {
  const dataDir = join(await openScratch(), 'data');

  const first = await startIn(dataDir);
  await connectTo(first.connection)`create table kept as select 'a word' as word`;
  await first.stop();
  expect(await countProcesses(dataDir)).toBe(0);

  const second = await startIn(dataDir);
  expect(await connectTo(second.connection)`select word from kept`).toEqual([{ word: 'a word' }]);
  expect(second.connection).toEqual(first.connection);
  expect(first.messages).toContain('the database was created');
  expect(second.messages).not.toContain('the database was created');
});

test('the role of the platform owns its database but is not a superuser', async () => {
  const { connection } = await startIn(await openScratch());
  const [role] = await connectTo(connection)`
    select rolsuper, rolcreaterole, current_user = pg_get_userbyid(datdba) as owns, current_setting('listen_addresses') as addresses
      from pg_roles, pg_database where rolname = current_user and datname = current_database()`;
  expect(role).toEqual({ rolsuper: false, rolcreaterole: false, owns: true, addresses: '' });
});

test('a connection requires the password, and the password is not disclosed', async () => {
  const dataDir = await openScratch();
  const { connection } = await startIn(dataDir);
  const secret = (await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).trim();

  for (const username of ['earshot', 'postgres']) {
    for (const password of ['', 'guess']) {
      await expect(connectTo({ ...connection, username, password })`select 1`).rejects.toMatchObject({ code: '28P01' });
    }
  }
  const superuser = connectTo({
    ...connection,
    username: 'postgres',
    database: 'postgres',
    password: connection.password,
  });
  await expect(superuser`select 1`).rejects.toMatchObject({ code: '28P01' });

  const modes = await Promise.all(
    ['', 'run', 'password', 'postgres.log'].map((name) => stat(join(dataDir, 'postgres', name))),
  );
  expect(modes.map(({ mode }) => mode & 0o077)).toEqual([0, 0, 0, 0]);
  const postmaster = await readPostmasterPid(dataDir);
  for (const shown of ['cmdline', 'environ']) {
    expect(await readFile(`/proc/${postmaster}/${shown}`, 'utf8')).not.toContain(secret);
  }
  expect(secret).not.toBe(connection.password);
});

test('the log of PostgreSQL does not quote the rows that a statement failed with', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const { connection } = await startIn(dataDir);
  const db = connectTo(connection);
  await db`create table names (name text unique, length int check (length > 0))`;
  await db`insert into names values ('brixquolt', 9)`;
  await expect(db`insert into names values ('brixquolt', 9)`).rejects.toMatchObject({ code: '23505' });
  await expect(db`insert into names values ('brixquolts', 0)`).rejects.toMatchObject({ code: '23514' });
  const log = await readFile(join(dataDir, 'postgres', 'postgres.log'), 'utf8');
  expect(log).toContain('duplicate key');
  expect(log).toContain('violates check constraint');
  expect(log).not.toContain('brixquolt');
});

test('while PostgreSQL runs, a log that became too large moves to a second file, and the first goes on', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const { connection } = await startIn(dataDir);
  const db = connectTo(connection);
  const path = join(dataDir, 'postgres', 'postgres.log');
  await appendFile(path, Buffer.alloc(largestLogBytes, 'full '));
  const { uid, gid } = await stat(path);
  const runAs = { uid, gid, namespace: false };
  await limitServerLog(path, runAs);
  await expect(db`select 1 / 0`).rejects.toMatchObject({ code: '22012' });

  const log = await readFile(path, 'utf8');
  expect(log).toContain('division by zero');
  expect(log.length).toBeLessThan(1000);
  expect(await readSince(path, largestLogBytes)).toBe(log);
  const earlier = await stat(`${path}.1`);
  expect(earlier.size).toBeGreaterThanOrEqual(largestLogBytes);
  expect([earlier.mode & 0o777, earlier.uid]).toEqual([0o600, uid]);

  const earlierText = await readFile(`${path}.1`, 'utf8');
  await limitServerLog(path, runAs);
  expect(await readFile(`${path}.1`, 'utf8')).toBe(earlierText);
});

test('a missing role or database is created again at the next start', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const first = await startIn(dataDir);
  const password = (await readFile(join(dataDir, 'postgres', 'password'), 'utf8')).trim();
  await asAdministrator(
    { socketFolder: first.connection.host, password },
    new AbortController().signal,
    async (sql) => {
      await sql`drop database earshot`;
      await sql`drop role earshot`;
    },
  );
  await first.stop();

  const second = await startIn(dataDir);
  expect(await connectTo(second.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
});

test('if the path is too long for a socket, a temporary folder is used and removed at the stop', async () => {
  const dataDir = join(await openScratch(), 'long'.repeat(20), 'a,b');
  const database = await startIn(dataDir);
  const { host } = database.connection;
  expect(await connectTo(database.connection)`select 1 as answer`).toEqual([{ answer: 1 }]);
  expect(host.startsWith(dataDir)).toBe(false);
  expect((await stat(host)).mode & 0o777).toBe(0o700);

  await database.stop();
  await expect(stat(host)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a second stop waits for the first, and open sessions are closed', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const database = await startIn(dataDir);
  const cut = expect(connectTo(database.connection)`select pg_sleep(600)`).rejects.toThrow();
  await Promise.all([database.stop(), database.stop()]);
  await cut;
  expect(await countProcesses(dataDir)).toBe(0);
});

test('an aborted start leaves no process running', async () => {
  const dataDir = join(await openScratch(), 'data');
  const givingUp = new AbortController();
  const start = startIn(dataDir, givingUp.signal);
  const refused = expect(start).rejects.toThrow();
  await vi.waitUntil(async () => (await findProcessesNaming(dataDir)).length > 0, { interval: 20 });
  givingUp.abort();
  await refused;
  expect(await findProcessesNaming(dataDir)).toEqual([]);
  expect(await countProcesses(dataDir)).toBe(0);
});

test('a wrong folder, a lost password and a failing PostgreSQL are each reported in one line', async () => {
  const dataDir = await makeDataFolder(join(await openScratch(), 'data'));
  const database = await startIn(dataDir);
  await database.stop();
  const home = dirname(database.connection.host);

  await writeFile(join(home, 'cluster', 'PG_VERSION'), '11\n');
  await expect(startIn(dataDir)).rejects.toThrow(/^PostgreSQL did not start: FATAL: .*incompatible.*$/);

  await writeFile(join(home, 'password'), '');
  await expect(startIn(dataDir)).rejects.toThrow(/^the password of the database is missing or damaged: .*$/);

  const occupied = await openScratch();
  await mkdir(join(occupied, 'postgres', 'cluster'), { recursive: true });
  await writeFile(join(occupied, 'postgres', 'cluster', 'letter.txt'), 'mine');
  await expect(startIn(occupied)).rejects.toThrow(
    /^the folder .* contains something other than a PostgreSQL database; move it to another place$/,
  );
});
