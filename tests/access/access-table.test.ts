import { operationList, operations } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uncovered } from './coverage.ts';
import { kinds } from './fixtures.ts';
import { planAccess } from './plan.ts';
import { createWorlds, faultsOf } from './run-row.ts';

// Generated from the contract: a new operation on a known kind of record is tested without further code.
const { rows, gaps } = planAccess(operationList, kinds);
const byName = new Map(operationList);

let server: TestServer;
let worldFor: ReturnType<typeof createWorlds>;
beforeAll(async () => {
  server = await startTestServer();
  worldFor = createWorlds(server);
});
afterAll(() => server.stop());

test('every operation is in the table', () => {
  expect(gaps).toEqual([]);
  expect(uncovered(operationList, rows, kinds)).toEqual([]);
  expect(new Set(rows.map(({ operation }) => operation))).toEqual(new Set(Object.keys(operations)));
});

describe.each([...byName])('%s', (name, operation) => {
  const own = rows.filter((row) => row.operation === name);
  test.each(own.map((row) => [`${row.situation}: ${String(row.answer)}`, row] as const))('%s', async (_title, row) => {
    expect(await faultsOf(await worldFor(operation, row), operation, row)).toEqual([]);
  });
});
