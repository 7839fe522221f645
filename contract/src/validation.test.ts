import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { operation, readsOnly } from './operation.ts';
import { gatewayList, operationList } from './operations.ts';
import { compileRequest, createValidator } from './validation.ts';
import { clearable, DateTime, Key, oneOf, Order } from './values.ts';

const validator = createValidator();
const errorsOf = (schema: TSchema, value: unknown) => validator.compile(schema)(value);
const fieldErrors = (field: TSchema, value: unknown) => errorsOf(Type.Object({ field }), { field: value });
const messageOf = (field: TSchema, value: unknown) => {
  const errors = fieldErrors(field, value);
  expect(errors?.map(({ path }) => path)).toEqual(['field']);
  return errors?.[0]?.message;
};

describe('nothing is mended', () => {
  test.each([
    [Type.Integer(), '5'],
    [Type.Integer(), 5.5],
    [Type.Integer(), null],
    [Type.Integer(), Infinity],
    [Type.Number(), Number.NaN],
    [Type.Boolean(), 'true'],
    [Type.Boolean(), 0],
    [Type.String(), 5],
    [Type.String(), null],
    [Type.Array(Type.String()), 'x'],
  ])('%j does not take %j', (schema, value) => {
    expect(fieldErrors(schema, value)).toHaveLength(1);
  });

  test('unknown fields stay, defaults do not appear', () => {
    const value = { unknown: 1 };
    expect(errorsOf(Type.Object({ field: Type.Optional(Type.Integer({ default: 3 })) }), value)).toBeUndefined();
    expect(value).toEqual({ unknown: 1 });
  });
});

describe('messages say what is expected', () => {
  test.each([
    [Type.Integer(), 'x', 'must be a whole number'],
    [clearable(Type.Integer()), 'x', 'must be a whole number or null'],
    [Type.String(), 5, 'must be text'],
    [Type.Boolean(), 5, 'must be true or false'],
    [Type.Array(Type.Integer()), 5, 'must be a list'],
    [Type.Object({}), 5, 'must be an object'],
    [Type.Integer({ minimum: 3 }), 2, 'must be at least 3'],
    [Key, 2 ** 53, 'must be at most 9007199254740991'],
    [Type.String({ minLength: 1 }), '', 'must not be empty'],
    [Type.String({ minLength: 8 }), 'short', 'must have at least 8 characters'],
    [Type.String({ maxLength: 3 }), 'long', 'must have at most 3 characters'],
    [Type.Array(Type.Integer(), { minItems: 1 }), [], 'must have at least 1 entries'],
    [Type.Array(Type.Integer(), { maxItems: 1 }), [1, 2], 'must have at most 1 entries'],
    [oneOf('read', 'write'), 'own', 'must be one of read, write'],
    [Type.String({ format: 'time-zone' }), 'Mars', 'must be a time zone of the IANA database, such as Europe/Zurich'],
    [Type.String({ pattern: '^x$', description: 'One letter x.' }), 'y', 'must be one letter x'],
    [Type.String({ pattern: '^x$', examples: ['x'] }), 'y', 'must be like "x"'],
    [Type.String({ pattern: '^x$' }), 'y', 'must be valid (pattern)'],
  ])('%j and %j: %s', (schema, value, message) => {
    expect(messageOf(schema, value)).toBe(message);
  });

  test('of dates and orders', () => {
    expect(messageOf(DateTime, '2026-02-30T00:00:00Z')).toContain('ISO 8601');
    expect(messageOf(Order, 'up')).toContain('`asc` or `desc`');
  });

  test('of what is missing', () => {
    expect(errorsOf(Type.Object({ a: Type.String(), b: Type.String() }), {})).toEqual([
      { path: 'a', message: 'is required' },
      { path: 'b', message: 'is required' },
    ]);
  });
});

describe('paths', () => {
  test('lead to the field, however deep and oddly named', () => {
    const schema = Type.Object({ clips: Type.Array(Type.Object({ 'a/b~c': Type.Integer() })) });
    expect(errorsOf(schema, { clips: [{ 'a/b~c': 1 }, { 'a/b~c': 'x' }] })).toEqual([
      { path: 'clips[1].a/b~c', message: 'must be a whole number' },
    ]);
    expect(errorsOf(Type.Array(Type.Integer()), [1, 'x'])).toEqual([
      { path: '[1]', message: 'must be a whole number' },
    ]);
    expect(errorsOf(Type.Integer(), 'x')).toEqual([{ path: '', message: 'must be a whole number' }]);
  });

  test('of a choice name the choice, not each way in which it was missed', () => {
    const either = Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.Integer() })], {
      description: 'an a or a b',
    });
    expect(errorsOf(Type.Array(either), [{}, { a: 1 }, { a: 'x' }])).toEqual([
      { path: '[0]', message: 'must be an a or a b' },
      { path: '[2]', message: 'must be an a or a b' },
    ]);
    const beside = Type.Object({ either, other: Type.Integer() });
    expect(
      errorsOf(beside, { either: {}, other: 'x' })
        ?.map(({ path }) => path)
        .toSorted(),
    ).toEqual(['either', 'other']);
  });

  test('are 20 at most', () => {
    expect(
      errorsOf(
        Type.Array(Type.Integer()),
        Array.from({ length: 1_000 }, () => 'x'),
      ),
    ).toHaveLength(20);
  });
});

describe('formats', () => {
  const zone = Type.String({ format: 'time-zone' });

  test.each(['UTC', 'Europe/Zurich', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])('%s is a time zone', (name) => {
    expect(fieldErrors(zone, name)).toBeUndefined();
  });

  test.each(['', '+01:00', '-05:00', 'Zurich', 'Europe/', '../etc/passwd', 'UTC\u0000'])('%j is none', (name) => {
    expect(fieldErrors(zone, name)).toHaveLength(1);
  });

  test('length counts code points', () => {
    const three = Type.String({ maxLength: 3 });
    expect(fieldErrors(three, '🎙🎙🎙')).toBeUndefined();
    expect(fieldErrors(three, '🎙🎙🎙x')).toHaveLength(1);
  });
});

describe('requests', () => {
  test('are judged part by part', () => {
    const declared = operation('device', {
      method: 'PUT',
      path: '/v1/device/{deviceID}',
      summary: 'x',
      access: 'caller',
      acts: [],
      params: { deviceID: Key },
      query: { all: Type.Boolean() },
      body: Type.Object({ a: Type.String() }),
      trail: readsOnly,
    } as const);
    const { params, query, body } = compileRequest(declared, createValidator());
    expect([params({ deviceID: 1 }), query({ all: true }), body?.({ a: '' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect([params({}), query({}), body?.({})].map((errors) => errors?.[0]?.message)).toEqual([
      'is required',
      'is required',
      'is required',
    ]);
  });

  test('of every operation can be judged by one validator', () => {
    for (const [name, declared] of operationList) {
      const { params, query, headers, body } = compileRequest(declared, validator);
      expect([name, body === undefined]).toEqual([name, declared.body === undefined]);
      // A schema is compiled by its first use, and one with a fault fails here.
      for (const validate of [params, query, headers])
        expect([name, validate('text')]).toEqual([name, [expect.anything()]]);
      expect(() => body?.(undefined), name).not.toThrow();
    }
  });

  test('of every operation has schemas that follow JSON Schema', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const faultsOf = (schema: TSchema | undefined) =>
      schema === undefined || ajv.validateSchema(schema) ? [] : (ajv.errors ?? []);
    expect(faultsOf({ type: 'string', maxLength: 'three' })).not.toEqual([]);
    for (const [name, { params, query, headers, body, answer }] of [...operationList, ...gatewayList])
      expect([name, ...[params, query, headers, body, answer].flatMap(faultsOf)]).toEqual([name]);
  });

  test('cannot be judged by a schema with a fault', () => {
    const validate = validator.compile({ type: 'string', maximumLength: 3 });
    expect(() => validate('text')).toThrow('unknown keyword: "maximumLength"');
  });
});
