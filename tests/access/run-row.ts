import type { Act, Operation } from '@earshot/contract/operation';
import { largestCount } from '@earshot/contract/values';
import type { Answer } from './ask.ts';
import { ask } from './ask.ts';
import { headersOf } from './caller.ts';
import type { Cast } from './cast.ts';
import { createCast } from './cast.ts';
import type { Standing, World } from './fixtures.ts';
import { actName, createWorld, metadataNaming } from './fixtures.ts';
import type { Row, Target } from './plan.ts';
import type { BuiltRequest, Schema } from './request.ts';
import { buildRequest, readingOf } from './request.ts';

/** Larger than the key of any record in the tests. */
const unknownKey = 4_000_000_000_000;

/** Sends the request of the row and returns the differences from the expected response. */
export async function faultsOf(world: World, operation: Operation, row: Row): Promise<readonly string[]> {
  const contained = await keysOf(world, operation, row.listed?.contains ?? []);
  const lacking = await keysOf(world, operation, row.listed?.lacks ?? []);
  const request = await requestOf(world, operation, row, {
    ...bodyOf(row),
    ...(row.listed ? wholeList(operation) : {}),
  });
  const answer = await send(world, operation, request);

  const faults = statusFaults(row, answer);
  if (faults.length > 0 || !row.listed) return faults;
  const listed = new Set(recordsOf(answer).map(({ key }) => key));
  return [
    ...contained.filter((key) => !listed.has(key)).map((key) => `the list lacks ${key}, which the caller may read`),
    ...lacking.filter((key) => listed.has(key)).map((key) => `the list shows ${key}, which the caller may not read`),
  ];
}

/** A page that is as long as may be, of those that are asked for with a number. */
function wholeList(operation: Operation): Readonly<Record<string, unknown>> {
  const body: Schema | undefined = operation.body;
  return body?.properties?.['count'] ? { 'body.count': largestCount } : {};
}

const bodyOf = ({ body }: Row): Readonly<Record<string, unknown>> => (body === undefined ? {} : { body });

/** The request of the row. The records that it names, and its credentials, exist when this returns. */
export async function requestOf(
  world: World,
  operation: Operation,
  row: Row,
  more: Readonly<Record<string, unknown>> = {},
): Promise<BuiltRequest> {
  const headers = await headersOf(world, row.credential);
  const named = await namedBy(world, operation, row.targets);
  for (const [place, value] of Object.entries(more)) named.set(place, value);
  const built = buildRequest(operation, named);
  const cookie = more['headers.cookie'] as string | undefined;
  return {
    ...built,
    headers: { ...headers, ...(cookie === undefined ? {} : { cookie }), ...built.headers },
  };
}

export const send = ({ server }: World, { method }: Operation, { target, ...request }: BuiltRequest): Promise<Answer> =>
  ask(server.url, method, target, request);

/** The records of a list, or of a page. */
function recordsOf({ json }: Answer): readonly { readonly key: number }[] {
  return (Array.isArray(json) ? json : (json as { results: unknown }).results) as { key: number }[];
}

function statusFaults({ answer: expected }: Row, { status, headers, text }: Answer): readonly string[] {
  const isRight = expected === 'success' ? status < 400 : expected.includes(status);
  if (!isRight)
    return [`expected ${expected === 'success' ? expected : expected.join(' or ')}, got ${status}: ${text}`];
  return status === 401 && headers['www-authenticate'] === undefined ? ['a 401 without WWW-Authenticate'] : [];
}

async function keysOf(world: World, { lists }: Operation, standings: readonly Standing[]): Promise<readonly number[]> {
  if (!lists) return [];
  const records = await Promise.all(standings.map((standing) => world.record(lists, standing)));
  return records.map(({ key }) => key);
}

async function namedBy(world: World, operation: Operation, targets: readonly Target[]): Promise<Map<string, unknown>> {
  const named = new Map<string, unknown>();
  for (const [index, act] of operation.acts.entries()) {
    const target = targets[index];
    if (target === undefined || target === 'left out') continue;
    // A second record of the same kind is another one.
    const isFirst = operation.acts.findIndex(({ record }) => record === act.record) === index;
    const from = isFirst ? world : createWorld(world.server, world.cast);
    named.set(act.by, await valueOf(from, operation, act, target));
  }
  return named;
}

const unknownName = (field: string): string =>
  field === 'upload-metadata' ? metadataNaming('nobody-has-this') : 'nobody-has-this';

async function valueOf(world: World, operation: Operation, act: Act, target: Standing | 'unknown'): Promise<unknown> {
  const record = target === 'unknown' ? undefined : await world.record(act.record, target);
  const reading = readingOf(operation, act);
  if (reading === 'text') return record?.names?.[actName(act)] ?? unknownName(actName(act));
  const key = record?.key ?? unknownKey;
  return reading === 'numbers' ? [key] : key;
}

/**
 * Chooses a world in which the row cannot affect others: reads share one world; a change of records gets new records; a
 * change that names no record may affect the caller, so it gets new people. The people of the shared world have no
 * other records, which could be on the first page of a list. An admin sees the records of all people: a list for an
 * admin gets new records too, which are the newest.
 */
export function createWorlds(server: World['server']) {
  let reading: Promise<World> | undefined;
  let changing: Promise<Cast> | undefined;
  return async (operation: Operation, row: Row): Promise<World> => {
    const isListed = operation.lists !== undefined && !row.credential.startsWith('admin');
    if (row.answer !== 'success' || operation.method === 'GET' || isListed) {
      reading ??= createCast(server).then((people) => createWorld(server, people));
      return reading;
    }
    if (operation.acts.length === 0) return createWorld(server, await createCast(server));
    changing ??= createCast(server);
    return createWorld(server, await changing);
  };
}
