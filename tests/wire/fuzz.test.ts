import type { JsonSchema, OpenApiDocument } from '@earshot/contract/openapi-document';
import type { Operation } from '@earshot/contract/operation';
import { operationList } from '@earshot/contract/operations';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damaging, mutate, mutations, oddHeaders, oddIDs, oddQueries } from './fuzz/hostile.ts';
import type { Judge } from './fuzz/oracle.ts';
import { createOracle } from './fuzz/oracle.ts';
import { validValues } from './fuzz/values.ts';
import type { Who, World } from './fuzz/world.ts';
import { kindOf } from './fuzz/kind-of.ts';
import { createWorld, leaveWorld, prepareWorlds, sound } from './fuzz/world.ts';
import type { Answer, Send } from './send.ts';
import { sender } from './send.ts';

/*
 * Sends valid and invalid requests to every declared operation, and checks each response against the OpenAPI document.
 * FUZZ_SEED and FUZZ_RUNS choose other and more requests; a failure prints its seed.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_115);
const runs = Number(process.env['FUZZ_RUNS'] ?? 20);
/** So many that at least one of an operation's valid requests also fits the records. */
const validRuns = Math.max(17, Math.ceil(runs / 3));

let server: TestServer;
let send: Send;
let judge: Judge;
beforeAll(async () => {
  // Long polls return at once: the requests are tested, not the wait. No worker takes the enqueued events.
  server = await startTestServer({ longPollSeconds: 0, role: 'server' });
  send = sender(server.url);
  judge = createOracle((await send('GET /openapi.json')).json as OpenApiDocument);
  await prepareWorlds(server);
});
afterAll(() => server.stop());

interface Attempt {
  readonly who: Who;
  readonly params: Readonly<Record<string, string>>;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

const given = (headers: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined));

/** Operations that need a query; the hints of the world apply to bodies only. */
const queries: Readonly<Record<string, string>> = {
  getDeviceSetting: '?setting_name=volume',
  deleteDeviceSetting: '?settingname=volume',
  getUserSetting: '?setting_name=volume',
  deleteUserSetting: '?settingname=volume',
};

/** The headers that the operation declares, from their examples. */
function declaredHeaders(operation: Operation, world: World): Readonly<Record<string, string>> {
  const declared = operation.headers.properties as Readonly<Record<string, JsonSchema>>;
  const examples = Object.entries(declared).map(
    ([name, { examples: some }]) => [name, world.headerValues[name] ?? some?.[0]] as const,
  );
  return {
    ...Object.fromEntries(
      examples.filter(([, value]) => value !== undefined).map(([name, value]) => [name, String(value)]),
    ),
    ...(operation.bytesType === undefined ? {} : { 'content-type': operation.bytesType }),
  };
}

const oddHeaderValues = fc.constantFrom(
  '',
  '-1',
  '0',
  '1',
  '99999999999999999',
  '1e3',
  'a b,c d',
  'deviceID !',
  'sha256 AAAA',
);

/** The same with some odd values. */
const oddDeclaredHeaders = (operation: Operation, world: World) =>
  fc
    .dictionary(fc.constantFrom('', ...Object.keys(operation.headers.properties)), oddHeaderValues)
    .map(({ '': _none, ...odd }) => ({ ...declaredHeaders(operation, world), ...odd }));

/** Keys of the records that a parameter of the path names, or the choices that it has. */
function goodParam(operation: Operation, param: string, world: World): fc.Arbitrary<string> {
  const { enum: choices } = (operation.params.properties as Readonly<Record<string, JsonSchema>>)[param] ?? {};
  return fc.constantFrom(...(choices ?? world.keys[kindOf(operation, param)])).map(String);
}

/** Valid requests: some of them must succeed, otherwise the other tests prove nothing. */
function goodAttempts(name: string, operation: Operation, world: World): fc.Arbitrary<Attempt> {
  const params = Object.keys(operation.params.properties).map(
    (param) => [param, goodParam(operation, param, world)] as const,
  );
  return fc.record({
    who: fc.constantFrom<Who>('admin', 'admin', 'member'),
    params: fc.record(Object.fromEntries(params)),
    query: fc.constant(queries[name] ?? ''),
    headers: fc.constant({
      ...(operation.body ? { 'content-type': 'application/json' } : {}),
      ...declaredHeaders(operation, world),
    }),
    body: operation.body
      ? validValues(operation.body as JsonSchema, world.hints[name]).map((value) => JSON.stringify(value))
      : fc.constant(operation.bytes === 'received' ? sound : undefined),
  });
}

/** The same requests with a fault in every part. */
function hostileAttempts(name: string, operation: Operation, world: World): fc.Arbitrary<Attempt> {
  const params = Object.keys(operation.params.properties).map((param) => {
    const good = goodParam(operation, param, world);
    return [param, fc.oneof({ weight: 4, arbitrary: good }, { weight: 1, arbitrary: oddIDs })] as const;
  });
  const values = operation.body ? validValues(operation.body as JsonSchema, world.hints[name]) : fc.jsonValue();
  return fc.record({
    who: fc.constantFrom<Who>('admin', 'admin', 'admin', 'admin', 'admin', 'member', 'nobody'),
    params: fc.record(Object.fromEntries(params)),
    query: oddQueries,
    // Rarely, because most invalid headers end a request before its body is read.
    headers: fc.oneof(
      { weight: 3, arbitrary: oddDeclaredHeaders(operation, world) },
      { weight: 1, arbitrary: oddHeaders.map(given) },
    ),
    body: fc
      .tuple(
        values,
        fc.array(mutations, { minLength: 1, maxLength: 3 }),
        fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, damaging),
      )
      .map(([value, changes, damage]) => {
        const text = JSON.stringify(changes.reduce(mutate, value)) ?? '';
        return damage ? damage.damage(text) : text;
      }),
  });
}

const lineOf = (operation: Operation, { params, query }: Attempt) =>
  `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? '')}${query}`;

const isRead = ({ method }: Operation): boolean => method === 'GET' || method === 'HEAD';

async function ask(operation: Operation, attempt: Attempt, world: World): Promise<Answer> {
  return send(lineOf(operation, attempt), {
    ...(attempt.body === undefined || isRead(operation) ? {} : { body: attempt.body }),
    headers: { ...attempt.headers, ...world.headers[attempt.who] },
  });
}

/** Operations that cannot succeed without a secret that only a person has, and one that cannot succeed. */
const neverGood = new Set([
  'setUp',
  'usePasswordReset',
  'acknowledgeByLink',
  'confirmChannel',
  'createSession',
  'exchangeInstallationCode',
  'refuseClipList',
  // The secret is in the address.
  'downloadFile',
  'uploadFile',
  'getUploadOffset',
]);

let worldToRead: World | undefined;

/** One for all operations that change nothing: the records of a world take more time than the requests to them. */
async function openWorldToRead(): Promise<World> {
  worldToRead ??= await createWorld(server, server.url);
  return worldToRead;
}

describe.each(operationList)('%s', (name, operation) => {
  let kept: World | undefined;
  const left: World[] = [];
  afterAll(async () => {
    for (const world of left) await leaveWorld(server, world);
  });

  async function createNext(): Promise<World> {
    const world = await createWorld(server, server.url);
    left.push(world);
    return world;
  }

  /** The records of the valid requests serve the invalid ones too, unless the valid ones have removed them. */
  async function openWorld(): Promise<World> {
    if (isRead(operation)) return openWorldToRead();
    const world = kept ?? (await createNext());
    kept = operation.method === 'DELETE' ? undefined : world;
    return world;
  }

  async function check(attempts: (world: World) => fc.Arbitrary<Attempt>, numRuns: number): Promise<Set<number>> {
    let world = await openWorld();
    const statuses = new Set<number>();
    const property = fc.asyncProperty(attempts(world), async (attempt) => {
      const answer = await ask(operation, attempt, world);
      statuses.add(answer.status);
      expect(
        judge(operation, answer),
        `${lineOf(operation, attempt).slice(0, 200)} ${answer.text.slice(0, 500)}`,
      ).toEqual([]);
      // The request may have signed out, removed or disabled the caller.
      if (attempt.who === 'nobody' || ![401, 419].includes(answer.status)) return;
      world = await createNext();
      if (kept) kept = world;
    });
    // Not shrunk: requests change the records, so a repeated request would not be the same.
    await fc.assert(property, { seed, numRuns, endOnFailure: true });
    return statuses;
  }

  test('answers valid requests as declared', async () => {
    const statuses = await check((world) => goodAttempts(name, operation, world), validRuns);
    if (!neverGood.has(name)) expect(statuses).toContain(operation.success?.status ?? 200);
  });

  test('answers invalid requests as declared', async () => {
    await check((world) => hostileAttempts(name, operation, world), runs);
    expect((await send('GET /readyz')).status).toBe(200);
  });
});

test('no request caused an internal error or changed a prototype', async () => {
  expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  expect('polluted' in {}).toBe(false);
  expect((await send('GET /healthz')).json).toEqual({ status: 'alive' });
});
