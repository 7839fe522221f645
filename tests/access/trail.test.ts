import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Operation } from '@earshot/contract/operation';
import { gatewayList, operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { World } from './fixtures.ts';
import { createCast } from './cast.ts';
import { createWorld, kinds } from './fixtures.ts';
import type { Row } from './plan.ts';
import { planAccess } from './plan.ts';
import type { BuiltRequest } from './request.ts';
import { requestOf, send } from './run-row.ts';
import type { Preparation } from './trail-requests.ts';
import { shownElsewhere, trailRequests } from './trail-requests.ts';

// Every operation is called, and the entries of the audit trail that appear are those that it declares.
const { rows } = planAccess(operationList, kinds);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The actions of the entries that `work` leaves, reads of sound and words included. */
async function entriesOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const [last] = await server.db<{ key: number }[]>`select coalesce(max(key), 0)::bigint as key from audit_entries`;
  await work();
  // Reads are written before the trail is listed.
  await server.admin.session.listAuditEntries({ body: { count: 1 } });
  const entries = await server.db<{ action: string }[]>`
    select action from audit_entries where key > ${last?.key ?? 0} order by key`;
  return entries.map(({ action }) => action);
}

/** The row of a caller who has every right to the records; without credentials where anyone may call. */
function rowOf(name: string, { access }: Operation): Row {
  const situations = access === 'admin' ? ['by an admin'] : ['by the owner', 'by a member', 'without credentials'];
  const own = rows.filter(
    ({ operation, answer }) => operation === name && (access === 'anyone' || isNoRefusal(answer)),
  );
  const row = situations.flatMap((situation) => own.filter((each) => each.situation === situation))[0];
  if (!row) throw new Error(`no row of the access table calls ${name} with every right`);
  return row;
}

const isNoRefusal = (answer: Row['answer']): boolean => answer === 'success' || answer.includes(501);

const newWorld = async (): Promise<World> => createWorld(server, await createCast(server));

async function entriesOfRequest(name: string, operation: Operation, prepare: Preparation): Promise<readonly string[]> {
  const world = await newWorld();
  const request = await requestOf(world, operation, rowOf(name, operation), await prepare(world));
  return entriesOf(() => send(world, operation, request));
}

const plain: readonly Preparation[] = [async () => ({})];
const declaredBy = ({ trail }: Operation): readonly string[] => (Array.isArray(trail) ? (trail as string[]) : []);

test.each(operationList)('%s writes the entries that it declares', async (name, operation) => {
  const seen = new Set<string>();
  for (const prepare of trailRequests[name] ?? plain)
    for (const action of await entriesOfRequest(name, operation, prepare)) seen.add(action);
  const declared = declaredBy(operation);
  const elsewhere = shownElsewhere[name];
  if (elsewhere === undefined) return expect([...seen].toSorted()).toEqual([...declared].toSorted());
  const text = await readFile(fileURLToPath(new URL(`../../${elsewhere}`, import.meta.url)), 'utf8');
  expect(declared.filter((action) => !text.includes(`'${action}'`))).toEqual([]);
});

test('a refused request writes no entry', async () => {
  const world = await newWorld();
  for (const [name, operation] of operationList) {
    if (declaredBy(operation).length === 0 || operation.access === 'anyone') continue;
    const refused = rows.filter((row) => row.operation === name && !isNoRefusal(row.answer));
    const requests: BuiltRequest[] = [];
    for (const row of refused) requests.push(await requestOf(world, operation, row));
    const entries = await entriesOf(async () => {
      for (const request of requests) await send(world, operation, request);
    });
    expect({ name, entries }).toEqual({ name, entries: [] });
  }
});

test('every operation that may change something says which entries it writes, or why none', () => {
  const silent = [...operationList, ...gatewayList]
    .filter(([, { method, trail }]) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !trail)
    .map(([name]) => name);
  expect(silent).toEqual([]);
});
