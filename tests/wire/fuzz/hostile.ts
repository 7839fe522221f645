import * as fc from 'fast-check';

const nested = (depth: number): unknown => (depth === 0 ? [] : [nested(depth - 1)]);

/** Texts that can be stored, so that only the rules of the field can refuse them. */
const oddTexts = [
  '',
  ' ',
  'a b',
  'a/b',
  '@',
  'x@',
  'a@b@c',
  'asc ',
  'list',
  '0',
  '-1',
  '1.5',
  'null',
  'true',
  'שלום \u202e',
  '🎙\u{10FFFF}',
  'e\u0301',
  '\uFFFE\u0001',
  "'; drop table users; --",
  '%00 %s {0}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '/processID',
  '2026-02-30T00:00:00Z',
  '2026-11-15T01:10:00',
  'Mars/Olympus',
  'x'.repeat(300),
  'x'.repeat(70_000),
];
const oddNumbers = [0, -0, -1, 1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e308, 5e-324];
const oddShapes = [
  null,
  true,
  false,
  [],
  {},
  [[]],
  [null],
  nested(20),
  nested(40),
  Array.from({ length: 2_000 }, () => 0),
  JSON.parse('{"toString":1,"then":1,"toJSON":1,"length":5}') as unknown,
];
/** Refused before any field is validated. */
const unstorable = ['\0', 'a\0b', '\ud800', '\udfff\ud83c'];

const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 3, arbitrary: fc.constantFrom(...oddNumbers) },
  { weight: 3, arbitrary: fc.constantFrom(...oddShapes) },
  { weight: 1, arbitrary: fc.constantFrom(...unstorable) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3, stringUnit: 'grapheme' }) },
);

export interface Mutation {
  readonly kind: 'replace' | 'drop' | 'extra' | 'wrap';
  /** Chooses one of the positions in the value. */
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

export const mutations: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'extra', 'wrap'),
  at: fc.noBias(fc.nat({ max: 1_000_000 })),
  name: fc.constantFrom('__proto__', 'constructor', 'op', 'from', 'fieldName', 'key', '', 'a\0', '\ud800', 'é'),
  value: hostileValues,
});

type Path = readonly (string | number)[];

function placesIn(value: unknown, path: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const steps: readonly (string | number)[] = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  return [
    path,
    ...steps.flatMap((step) => placesIn((value as Record<string | number, unknown>)[step], [...path, step])),
  ];
}

/** The value with one position changed. */
export function mutate(value: unknown, mutation: Mutation): unknown {
  const [whole = [], ...within] = placesIn(value);
  // The whole value rarely, because a body that is not an object is refused early.
  const place = mutation.at % 10 === 0 ? whole : within[mutation.at % within.length];
  return changeAt(value, place ?? whole, mutation);
}

function changeAt(value: unknown, [step, ...rest]: Path, mutation: Mutation): unknown {
  if (step === undefined) return changed(value, mutation);
  if (Array.isArray(value)) {
    if (rest.length === 0 && mutation.kind === 'drop') return value.toSpliced(Number(step), 1);
    return value.with(Number(step), changeAt(value[Number(step)], rest, mutation));
  }
  const entries = Object.entries(value as object);
  if (rest.length === 0 && mutation.kind === 'drop')
    return Object.fromEntries(entries.filter(([name]) => name !== step));
  return Object.fromEntries(
    entries.map(([name, field]) => [name, name === step ? changeAt(field, rest, mutation) : field]),
  );
}

function changed(value: unknown, { kind, name, value: other }: Mutation): unknown {
  if (kind === 'wrap') return [value];
  if (kind !== 'extra' || typeof value !== 'object' || value === null) return other;
  return Array.isArray(value) ? [...value, other] : Object.fromEntries([...Object.entries(value), [name, other]]);
}

/** Faults of a body before it is parsed. */
const damages: Readonly<Record<string, (text: string) => string | Uint8Array>> = {
  none: (text) => text,
  empty: () => '',
  cut: (text) => text.slice(0, Math.ceil(text.length / 2)),
  twice: (text) => text + text,
  'keys twice': (text) => text.replace(/"(\w+)":[^,{}[\]]+/, (pair) => `${pair},${pair}`),
  'an escaped key twice': (text) =>
    text.replace(
      /"(\w)(\w*)":/,
      (key, first: string, more: string) => `"\\u00${first.charCodeAt(0).toString(16)}${more}":1,${key}`,
    ),
  'beyond numbers': (text) => text.replace(/\d+/, '1e400'),
  'long digits': (text) => text.replace(/\d+/, '9'.repeat(400)),
  prototype: (text) => text.replace('{', '{"__proto__":{"polluted":1},'),
  'no UTF-8': (text) => Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from([0xff, 0xfe, 0x22, 0x7d])]),
  'UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'a mark': (text) => `\uFEFF${text}`,
  'a raw NUL': (text) => text.replace(/"$|[,}\]]/, '\0'),
  deep: (text) => '['.repeat(50_000) + text,
  'not JSON': () => '<?xml version="1.0"?><a/>',
  'single quotes': (text) => text.replaceAll('"', "'"),
};

export const damaging = fc.constantFrom(...Object.entries(damages)).map(([name, damage]) => ({ name, damage }));

const mostly = <Value>(usual: Value, ...odd: Value[]): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: fc.constantFrom(...odd) });

/** Headers of a request, undefined if it has none. */
export const oddHeaders = fc.record({
  'content-type': mostly<string | undefined>(
    'application/json',
    'text/json',
    'application/x.y+json; a=b',
    undefined,
    '',
    'text/plain',
    'nonsense',
    'a/b/c',
    'application/json; charset=utf-16',
  ),
  accept: mostly<string | undefined>(
    undefined,
    '*/*',
    'application/json',
    'text/json;q=0.2, text/plain',
    'text/*',
    'image/png',
    '*/*;q=0',
    'nonsense',
    ',,;q=',
    '',
  ),
  'content-encoding': mostly<string | undefined>(undefined, 'identity', 'gzip'),
  'x-request-id': mostly<string | undefined>(undefined, 'mine', 'a b', '"'),
  origin: mostly<string | undefined>(undefined, 'https://elsewhere.example', 'null', 'nonsense'),
});

export const oddQueries = mostly(
  '',
  '?',
  '?x=1',
  '?%zz',
  '?a&a=&=b&&',
  '?__proto__=1',
  `?${'x'.repeat(500)}`,
  '?a=%00&b=%ff',
);

/** Ids in a path; none of them is a literal of another path. */
export const oddIDs = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '-0',
    '1.5',
    '1e3',
    'x',
    '%00',
    '%ff',
    '%zz',
    '%',
    '1%2F2',
    '..%2f1',
    '+1',
    '%20',
    '%F0%9F%8E%99',
  ),
  fc.constantFrom(
    '9'.repeat(17),
    '9'.repeat(30),
    '9'.repeat(2_000),
    '9007199254740991',
    '9007199254740992',
    '1;x',
    "1'",
    '$1',
  ),
  fc.maxSafeInteger().map(String),
);
