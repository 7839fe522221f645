/*
 * How values are sent to PostgreSQL and read from it. Everything is sent and read as text, except bytes, which are sent
 * as they are. Types are named by their object ids in pg_type, which are the same in every database.
 */

/** The type of a parameter is left to PostgreSQL, which derives it from the statement. */
const derivedType = 0;
const booleanType = 16;
const byteaType = 17;
const bigintType = 20;
const timestamptzType = 1184;

/** What can be a parameter of a statement. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null | (string | number | null)[];

export type SentValue = string | Buffer | null;

export function typeOfValue(value: unknown): number {
  if (typeof value === 'boolean') return booleanType;
  if (typeof value === 'bigint') return bigintType;
  if (value instanceof Date) return timestamptzType;
  if (value instanceof Uint8Array) return byteaType;
  return derivedType;
}

export function sendValue(value: unknown): SentValue {
  if (typeof value === 'string') return value;
  if (value === null) return null;
  if (value === undefined) throw undefinedValue();
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return sendArray(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  throw new TypeError('a value in a statement must be a text, number, boolean, date, bytes or an array of them');
}

function sendArray(values: readonly unknown[]): string {
  let text = '{';
  for (const [index, value] of values.entries()) {
    if (index > 0) text += ',';
    if (value === undefined) throw undefinedValue();
    else if (value === null) text += 'NULL';
    else if (typeof value === 'number') text += value;
    else if (typeof value === 'string') text += `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    else throw new TypeError('an array in a statement may contain only texts, numbers and null');
  }
  return `${text}}`;
}

const undefinedValue = (): Error =>
  Object.assign(new TypeError('a value in a statement is undefined; write null for no value'), {
    code: 'UNDEFINED_VALUE',
  });

type Parse = (text: string) => unknown;

const parseBoolean: Parse = (text) => text === 't';
const parseDate: Parse = (text) => new Date(text);
const parseBytes: Parse = (text) => Buffer.from(text.slice(2), 'hex');
const parseJson: Parse = (text) => JSON.parse(text) as unknown;
const keepText: Parse = (text) => text;

type TypeAndArray = readonly [type: number, array: number];

/** Each parser, with the object ids of the types that it reads and of the arrays of those types. */
const readTypes: readonly (readonly [parse: Parse, types: readonly TypeAndArray[]])[] = [
  [
    // Every integer that the server issues is below 2^53, so a JavaScript number holds it exactly.
    // int2, int4, int8, oid, float4, float8
    Number,
    [
      [21, 1005],
      [23, 1007],
      [20, 1016],
      [26, 1028],
      [700, 1021],
      [701, 1022],
    ],
  ],
  [parseBoolean, [[booleanType, 1000]]],
  // date, timestamp, timestamptz
  [
    parseDate,
    [
      [1082, 1182],
      [1114, 1115],
      [timestamptzType, 1185],
    ],
  ],
  [parseBytes, [[byteaType, 1001]]],
  // json, jsonb
  [
    parseJson,
    [
      [114, 199],
      [3802, 3807],
    ],
  ],
  // text, varchar, char, name, uuid, numeric, xid8
  [
    keepText,
    [
      [25, 1009],
      [1043, 1015],
      [1042, 1014],
      [19, 1003],
      [2950, 2951],
      [1700, 1231],
      [5069, 271],
    ],
  ],
];

const parsers = new Map<number, Parse>(
  readTypes.flatMap(([parse, types]) =>
    types.flatMap(([type, array]): [number, Parse][] => [
      [type, parse],
      [array, (text) => parseArray(text, parse)],
    ]),
  ),
);

/** Undefined if values of the type are kept as text. */
export function parserOf(type: number): Parse | undefined {
  const parse = parsers.get(type);
  return parse === keepText ? undefined : parse;
}

/** Reads PostgreSQL's text of an array, `{1,NULL,"a \"b\"",{…}}`. */
function parseArray(text: string, parse: Parse): unknown[] {
  // An array whose lowest index is not 1 has its bounds in front: [0:1]={…}.
  let at = text.indexOf('{');
  const readList = (): unknown[] => {
    const list: unknown[] = [];
    at += 1;
    while (text[at] !== '}') {
      if (text[at] === ',') at += 1;
      list.push(text[at] === '{' ? readList() : text[at] === '"' ? parse(readQuoted()) : readPlain());
    }
    at += 1;
    return list;
  };
  const readQuoted = (): string => {
    let value = '';
    for (at += 1; text[at] !== '"'; at += 1) {
      if (text[at] === '\\') at += 1;
      value += text[at];
    }
    at += 1;
    return value;
  };
  const readPlain = (): unknown => {
    const start = at;
    while (text[at] !== ',' && text[at] !== '}') at += 1;
    const value = text.slice(start, at);
    return value === 'NULL' ? null : parse(value);
  };
  return readList();
}
