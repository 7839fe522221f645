import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { Agent } from './agent.ts';
import { compileSerialiser } from './serialisation.ts';

const Tag = Type.Object({ key: Type.Optional(Type.Integer()), tagName: Type.Optional(Type.String()) });
const Clip = Type.Object({
  key: Type.Optional(Type.Integer()),
  when: Type.Optional(Type.String()),
  online: Type.Optional(Type.Boolean()),
  tags: Type.Optional(Type.Array(Tag)),
  first: Type.Optional(Tag),
});

const write = (value: unknown) => JSON.parse(compileSerialiser(Clip)(value)) as unknown;

describe('a record is written', () => {
  test('with the declared fields only, however deep', () => {
    const clip = { key: 1, secret: 'x', tags: [{ key: 2, hidden: true }], first: { tagName: 'a', hidden: true } };
    expect(write(clip)).toEqual({ key: 1, tags: [{ key: 2 }], first: { tagName: 'a' } });
  });

  test('without unset fields, but with those that are 0, false or empty', () => {
    expect(write({ key: null, when: undefined, online: null, tags: null })).toEqual({});
    expect(write({ key: 0, when: '', online: false, tags: [] })).toEqual({ key: 0, when: '', online: false, tags: [] });
    expect(write({ tags: [{ key: null }] })).toEqual({ tags: [{}] });
  });

  test('with dates in UTC and milliseconds', () => {
    expect(write({ when: new Date('2026-11-15T02:10:00+01:00') })).toEqual({ when: '2026-11-15T01:10:00.000Z' });
  });

  test('with its fields in the declared order', () => {
    const text = compileSerialiser(Agent)({ processID: 2, deviceID: 3, key: 1 });
    expect(text).toBe('{"key":1,"deviceID":3,"processID":2}');
  });

  test('from its own fields, with any names', () => {
    expect(write(JSON.parse('{"__proto__":{"key":5},"constructor":1}'))).toEqual({});
  });
});

describe('other answers', () => {
  test('lists are written entry by entry', () => {
    expect(compileSerialiser(Type.Array(Tag))([{ key: 1, hidden: 1 }, {}])).toBe('[{"key":1},{}]');
    expect(compileSerialiser(Type.Array(Tag))([])).toBe('[]');
  });

  test('open objects are written whole', () => {
    const open = Type.Object({ openapi: Type.String() }, { additionalProperties: true });
    expect(compileSerialiser(open)({ openapi: '3.1', paths: { a: null } })).toBe(
      '{"openapi":"3.1","paths":{"a":null}}',
    );
  });

  test('texts are JSON strings', () => {
    expect(compileSerialiser(Type.String())('a "b"')).toBe('"a \\"b\\""');
  });
});
