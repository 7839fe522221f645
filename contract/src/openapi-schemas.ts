import type { TSchema } from 'typebox';
import type { JsonSchema } from './openapi-document.ts';

const keywordOrder = [
  'title',
  'description',
  'type',
  'format',
  'enum',
  'const',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'required',
  'properties',
  'items',
  'additionalProperties',
  'anyOf',
];

const singles = new Set(['items', 'additionalProperties', 'contains', 'propertyNames', 'not']);
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const maps = new Set(['properties', 'patternProperties']);

export interface SchemaCollection {
  /** The schema for use in the document: a reference if it has a title. */
  use(schema: TSchema): JsonSchema;
  /** All schemas that are referenced, by name. */
  named(): Record<string, JsonSchema>;
}

export function collectSchemas(): SchemaCollection {
  const components = new Map<string, JsonSchema>();
  // Most schemas are used by many operations; each is written and compared once.
  const seen = new Set<unknown>();

  function use(schema: unknown): JsonSchema {
    const { title } = schema as JsonSchema;
    if (typeof title !== 'string') return write(schema as JsonSchema);
    if (seen.has(schema)) return { $ref: `#/components/schemas/${title}` };
    seen.add(schema);
    const written = write(schema as JsonSchema);
    const known = components.get(title);
    if (known && canonical(known) !== canonical(written)) {
      throw new Error(`Two different schemas are called ${title}`);
    }
    if (!known) components.set(title, written);
    return { $ref: `#/components/schemas/${title}` };
  }

  function write(schema: JsonSchema): JsonSchema {
    const entries = Object.entries(schema).map(([keyword, value]) => [keyword, writeKeyword(keyword, value)] as const);
    return Object.fromEntries(withIntegerFormat(entries).toSorted(byKeyword));
  }

  function writeKeyword(keyword: string, value: unknown): unknown {
    if (singles.has(keyword)) return typeof value === 'object' ? use(value) : value;
    if (lists.has(keyword)) return (value as unknown[]).map(use);
    if (maps.has(keyword)) {
      return Object.fromEntries(Object.entries(value as object).map(([name, schema]) => [name, use(schema)]));
    }
    return value;
  }

  return {
    use,
    named: () => Object.fromEntries([...components].toSorted(([a], [b]) => compare(a, b))),
  };
}

type Entry = readonly [keyword: string, value: unknown];

/** Without the format, generators of many languages use a 32-bit number for an id. */
function withIntegerFormat(entries: readonly Entry[]): readonly Entry[] {
  const isInteger = entries.some(([keyword, value]) => keyword === 'type' && [value].flat().includes('integer'));
  const hasFormat = entries.some(([keyword]) => keyword === 'format');
  return isInteger && !hasFormat ? [...entries, ['format', 'int64']] : entries;
}

function byKeyword([a]: Entry, [b]: Entry): number {
  return rank(a) - rank(b) || compare(a, b);
}

function rank(keyword: string): number {
  const index = keywordOrder.indexOf(keyword);
  return index === -1 ? keywordOrder.length : index;
}

export const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The same text for the same content, whatever the order of its keys. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => compare(a, b)))
      : part,
  );
}
