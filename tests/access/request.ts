import { randomUUID } from 'node:crypto';
import type { Act, Operation } from '@earshot/contract/operation';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';

/** The part of JSON Schema that the contract uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly examples?: readonly unknown[];
  /** A closed list of values. */
  readonly enum?: readonly unknown[];
}

export interface BuiltRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** The values of the parts that acts name, by `params.deviceID` or `body.deviceSerial`. */
export type Named = ReadonlyMap<string, unknown>;

/** Values that an installation accepts only once; an example works for the first request only. */
const fresh: Readonly<Record<string, () => string>> = {
  deviceSerial: () => `recorder-${randomUUID()}`,
  email: () => `${randomUUID()}@example.org`,
};

/**
 * Builds the request from the examples of the declaration, with the named records. For lists only required fields are
 * set, because an optional filter could exclude the expected records.
 */
export function buildRequest(operation: Operation, named: Named): BuiltRequest {
  const params = operation.params.properties as Readonly<Record<string, Schema>>;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(String(named.get(`params.${name}`) ?? exampleOf(params[name] ?? {}))),
  );
  const part = (name: string, schema: Schema) => valuesOf(schema, name, named, operation.lists === undefined);
  const query = Object.entries(part('query', operation.query)).map(([name, value]) => [name, String(value)]);
  const body: Schema | undefined = operation.body;
  const headers = Object.entries(part('headers', operation.headers)).map(([name, value]) => [name, String(value)]);
  return {
    target: query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path,
    headers: {
      ...Object.fromEntries(headers),
      ...(operation.bytesType === undefined ? {} : { 'content-type': operation.bytesType }),
    },
    body: named.has('body')
      ? named.get('body')
      : operation.bytes === 'received'
        ? tinyWav()
        : body?.properties
          ? part('body', body)
          : body && exampleOf(body),
  };
}

function valuesOf(schema: Schema, part: string, named: Named, withOptional: boolean): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const place = `${part}.${name}`;
    if (named.has(place)) {
      // Named as undefined: it is left out.
      if (named.get(place) !== undefined) values[name] = named.get(place);
    } else if (withOptional || schema.required?.includes(name)) {
      const value = fresh[name]?.() ?? exampleOf(property);
      if (value !== undefined) values[name] = value;
    }
  }
  return values;
}

/** Undefined if the schema has no example. */
function exampleOf(schema: Schema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf[0]);
  if (schema.items) {
    const item = exampleOf(schema.items);
    return item === undefined ? undefined : [item];
  }
  return schema.properties ? valuesOf(schema, '', new Map(), true) : undefined;
}

const isOfType = ({ type }: Schema, name: string): boolean => [type].flat().includes(name);

type Reading = 'number' | 'numbers' | 'text';

/** How the request names the record of an act; undefined if the request has no such part. */
export function readingOf(operation: Operation, { by }: Act): Reading | undefined {
  const schema = schemaAt(operation, by);
  if (!schema) return undefined;
  if (isOfType(schema, 'integer')) return 'number';
  if (isOfType(schema, 'string')) return 'text';
  return schema.items && isOfType(schema.items, 'integer') ? 'numbers' : undefined;
}

export function isOptional(operation: Operation, { by }: Act): boolean {
  const [part, name = ''] = split(by);
  const body: Schema | undefined = operation.body;
  return part === 'body' && !body?.required?.includes(name);
}

const split = (by: string): readonly string[] => [by.slice(0, by.indexOf('.')), by.slice(by.indexOf('.') + 1)];

function schemaAt(operation: Operation, by: string): Schema | undefined {
  const [part, name = ''] = split(by);
  const whole: Schema | undefined =
    part === 'params' ? operation.params : part === 'headers' ? operation.headers : operation.body;
  return whole?.properties?.[name];
}

/** Why no valid request can be built from the declaration; empty if one can. */
export function requestGaps(operation: Operation): readonly string[] {
  const named = new Set<string>(operation.acts.map(({ by }) => by));
  const placeholders = Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  // A parameter with a closed list of values names no record.
  const isChoice = (name: string) => schemaAt(operation, `params.${name}`)?.enum !== undefined;
  const unnamed = placeholders.filter((name) => !named.has(`params.${name}`) && !isChoice(name));
  const unplaced = operation.acts.filter((act) => readingOf(operation, act) === undefined);
  return [
    ...unnamed.map((name) => `no act names the path parameter ${name}`),
    ...unplaced.map(({ by }) => `an act names ${by}, which the request does not have`),
    ...withoutExample('query', operation.query, named),
    ...withoutExample('body', operation.body, named),
  ];
}

function withoutExample(part: string, schema: Schema | undefined, named: ReadonlySet<string>): readonly string[] {
  if (!schema) return [];
  if (!schema.properties) return exampleOf(schema) === undefined ? [`the ${part} has no example`] : [];
  return (schema.required ?? [])
    .map((name) => ({ place: `${part}.${name}`, example: exampleOf(schema.properties?.[name] ?? {}) }))
    .filter(({ place, example }) => example === undefined && !named.has(place))
    .map(({ place }) => `${place} is required and has no example`);
}

/** Whether the response is a list of records with keys, or a page of them as `results`. */
export function answersRecords(operation: Operation): boolean {
  const answer: Schema | undefined = operation.answer;
  const list = answer?.properties?.['results'] ?? answer;
  return list?.items?.properties?.['key'] !== undefined;
}
