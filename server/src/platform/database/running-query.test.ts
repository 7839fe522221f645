import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createTestDatabase } from '@earshot/server/testing/database';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { RunningQuery } from './running-query.ts';

/*
 * RunningQuery and pooled-connection.ts use parts of pg that its types do not declare, so another version may change them
 * without a word. If a test here fails, compare lib/client.js, lib/query.js and lib/connection.js of both versions, adapt
 * the two files, run the tests that decision 0008 names, and change what is written here.
 */

const writtenFor = '8.23.1';

const requirePg = createRequire(import.meta.url);
const folder = dirname(requirePg.resolve('pg/package.json'));
const source = readFileSync(join(folder, 'lib', 'client.js'), 'utf8');
const what = `RunningQuery was written for pg ${writtenFor}: read the comment in running-query.test.ts`;

test('pg is the version for which RunningQuery was written', () => {
  const { version } = requirePg('pg/package.json') as { readonly version: string };
  expect(version, what).toBe(writtenFor);
});

test('pg uses of a query what RunningQuery has, and nothing else', () => {
  const used = new Set([...source.matchAll(/\bactiveQuery\.(\w+)/gi)].map(([, name = '']) => name));
  expect(
    [...used].toSorted((one, other) => (one < other ? -1 : 1)),
    what,
  ).toEqual([
    'handleCommandComplete',
    'handleCopyData',
    'handleCopyInResponse',
    'handleDataRow',
    'handleEmptyQuery',
    'handleError',
    'handlePortalSuspended',
    'handleReadyForQuery',
    'handleRowDescription',
    'name',
    'submit',
    'text',
  ]);
  const own = Object.getOwnPropertyNames(RunningQuery.prototype);
  expect(
    [...used].filter((name) => name !== 'name' && name !== 'text' && !own.includes(name)),
    what,
  ).toEqual([]);
});

test('a connection of pg has what RunningQuery and the pool use', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const client = new Client({ connectionString: database.url });
  await client.connect();
  onTestFinished(() => client.end());
  const { connection, processID } = client as unknown as {
    readonly connection: Readonly<Record<string, unknown>>;
    readonly processID: unknown;
  };
  const methods = ['query', 'parse', 'bind', 'describe', 'execute', 'sync', 'sendCopyFail'];
  expect(
    methods.filter((name) => typeof connection[name] !== 'function'),
    what,
  ).toEqual([]);
  expect(connection, what).toMatchObject({ parsedStatements: {}, submittedNamedStatements: {} });
  const stream = connection['stream'] as Readonly<Record<string, unknown>>;
  expect(
    ['cork', 'uncork', 'destroy'].filter((name) => typeof stream[name] !== 'function'),
    what,
  ).toEqual([]);
  expect(processID, what).toEqual(expect.any(Number));
  expect(client.getTransactionStatus(), what).toBe('I');
});
