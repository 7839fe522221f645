import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTarget, showHost } from './connection-target.ts';
import { openScratch } from './embedded/testing/scratch.ts';

const hostsOf = (url: string) => readTarget(url).hosts.map(showHost).toSorted();

test.for([
  ['postgres://me:secret@db.example:5433/recorders', ['db.example:5433']],
  ['postgresql://me@db.example/recorders', ['db.example:5432']],
  ['postgres://me@one:5433,two:5434/recorders', ['one:5433', 'two:5434']],
  ['postgres://me@one,two,three/recorders?port=6432', ['one:6432', 'three:6432', 'two:6432']],
  ['postgres://me@[2001:db8::1]:5433,[2001:db8::2]/recorders', ['[2001:db8::1]:5433', '[2001:db8::2]:5432']],
  ['postgres://me@/recorders?host=one,two&port=1,2', ['one:1', 'two:2']],
  ['postgres://me@localhost/recorders?host=%2Frun%2Fpostgresql', ['/run/postgresql:5432']],
] as const)('%s', ([url, hosts]) => {
  expect(hostsOf(url)).toEqual(hosts);
});

test('names and passwords are decoded, and settings of the session are passed on', async () => {
  const { login } = readTarget(
    'postgres://me%40home:p%3Ass%2Fw%40rd@db/rec%20orders?search_path=a%20b&options=-c%20x%3D1',
  );
  expect(login).toMatchObject({ user: 'me@home', database: 'rec orders', options: '-c search_path=a\\ b -c x=1' });
  expect((login.password as () => string)()).toBe('p:ss/w@rd');
});

test('of several servers the one that accepts changes is chosen, unless told otherwise', () => {
  expect(readTarget('postgres://me@one/x').sessionKind).toBe('any');
  expect(readTarget('postgres://me@one,two/x').sessionKind).toBe('read-write');
  expect(readTarget('postgres://me@one,two/x?target_session_attrs=any').sessionKind).toBe('any');
  expect(readTarget('postgres://me@one/x?target_session_attrs=primary').sessionKind).toBe('primary');
});

test('encryption is as in libpq', async () => {
  const root = join(await openScratch(), 'root.crt');
  await writeFile(root, 'CERTIFICATE');
  const sslOf = (query: string) => readTarget(`postgres://me@one/x?${query}`).login.ssl;
  expect(sslOf('')).toBe(false);
  expect(sslOf('sslmode=require')).toEqual({ rejectUnauthorized: false });
  expect(sslOf(`sslmode=require&sslrootcert=${root}`)).toMatchObject({ ca: 'CERTIFICATE' });
  expect(sslOf(`sslmode=verify-full&sslrootcert=${root}`)).toEqual({ ca: 'CERTIFICATE' });
  expect(sslOf('sslmode=verify-full')).toEqual({});
  // The name is checked unless the mode says otherwise.
  expect(sslOf('sslmode=verify-ca')).toHaveProperty('checkServerIdentity');
});

test.for([
  ['mysql://me:secret@db/x', 'must be a URL such as'],
  ['postgres://me:secret@a:1,b:2/x?port=1,2,3', 'names 2 hosts and 3 ports'],
  ['postgres://me:secret@db:99999/x', 'has a port that is not a number from 1 to 65535'],
  ['postgres://me:sec%ret@db/x', 'has a % that does not begin an encoded character'],
  ['postgres://me:secret@db/x?target_session_attrs=standby', 'has a target_session_attrs other than'],
  ['postgres://me:secret@db/x?connect_timeout=0', 'has a connect_timeout that is not'],
  ['postgres://me:secret@db/x?sslmode=prefer', 'has sslmode=prefer; use'],
  ['postgres://me:secret@db/x?sslcert=a.crt', 'has the parameter sslcert, which is not supported'],
  ['postgres://me:secret@db/x?sslmode=verify-ca&sslrootcert=/none', 'names a file in sslrootcert that cannot be read'],
] as const)('%s is refused with one line that repeats no password', ([url, message]) => {
  expect(() => readTarget(url)).toThrow(message);
  try {
    readTarget(url);
  } catch (error) {
    expect((error as Error).message).not.toMatch(/secret|sec%|\n/);
  }
});
