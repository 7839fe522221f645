import type { Patch } from '@earshot/contract/patch';
import { createValidator } from '@earshot/contract/validation';
import { clearable } from '@earshot/contract/values';
import type { Arbitrary } from 'fast-check';
import { array, assert, constant, constantFrom, oneof, property, record as recordOf } from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../errors.ts';
import { changesOf } from './patch.ts';

const fields = { size: clearable(Type.Integer({ minimum: 0 })), note: clearable(Type.String({ maxLength: 9 })) };
const rules = { fields, validate: createValidator().compile(Type.Partial(Type.Object(fields))) };
const record = { key: 1, size: 5, note: null, when: new Date('2026-11-15T01:10:00Z') };

const changes = (...patch: Patch) => changesOf(record, patch, rules);
/** The code of the refusal, or `applied`. */
function outcomeOf(given: Parameters<typeof changesOf>[0], patch: Patch): string {
  try {
    changesOf(given, patch, rules);
    return 'applied';
  } catch (error) {
    return (error as Refusal).code;
  }
}

const anyPath = constantFrom('/size', '/note');
const anyPatch: Arbitrary<Patch> = array(
  oneof(
    recordOf({
      op: constantFrom('add', 'replace', 'test'),
      path: anyPath,
      value: constantFrom(3, -1, 'x', 'far too long', null),
    }),
    recordOf({ op: constant('remove' as const), path: anyPath }),
    recordOf({
      op: constantFrom('copy', 'move'),
      from: constantFrom('/size', '/note', '/key', '/label'),
      path: anyPath,
    }),
  ),
  { maxLength: 4 },
);
const anyState = recordOf({
  key: constant(1),
  size: constantFrom(null, 5),
  note: constantFrom(null, 'north'),
  label: constantFrom(null, 'ok', 'longer than a note'),
});

const refused = (code: string) => expect.objectContaining({ code }) as Error;

describe('changesOf', () => {
  test('returns only fields that have changed in the end', () => {
    expect(changes()).toEqual({});
    expect(changes({ op: 'replace', path: '/size', value: 5 })).toEqual({});
    expect(changes({ op: 'replace', path: '/size', value: 6 }, { fieldName: 'SIZE', value: '5' })).toEqual({});
    expect(changes({ op: 'remove', path: '/size' }, { fieldName: 'note', value: 'x' })).toEqual({
      size: null,
      note: 'x',
    });
  });

  test('does not modify the record and the patch', () => {
    const patch: Patch = [
      { op: 'move', from: '/size', path: '/note' },
      { op: 'replace', path: '/note', value: 'x' },
    ];
    const before = structuredClone([record, patch]);
    expect(changesOf(record, patch, rules)).toEqual({ size: null, note: 'x' });
    expect([record, patch]).toEqual(before);
  });

  test('compares tested values with the JSON of the record', () => {
    const when = { op: 'test', path: '/when', value: '2026-11-15T01:10:00.000Z' } as const;
    expect(changes(when, { op: 'test', path: '/note', value: null })).toEqual({});
    expect(changes({ op: 'test', path: '', value: { key: 1, size: 5, when: when.value } })).toEqual({});
    expect(() => changes({ op: 'test', path: '', value: { key: 1, size: 5, when: when.value, note: null } })).toThrow(
      refused('conflict'),
    );
  });

  test('names the operation that failed', () => {
    const good = { op: 'test', path: '/size', value: 5 } as const;
    expect(() => changes(good, good, { ...good, value: 6 })).toThrow('Operation 2 of the patch');
  });

  test.each<Patch[number]>([
    { op: 'remove', path: '/note' },
    { op: 'copy', from: '/note', path: '/size' },
    { op: 'move', from: '/note', path: '/size' },
    { op: 'move', from: '/note', path: '/note' },
    { op: 'copy', from: '/origin', path: '/size' },
  ])('requires that the source field is set: %o', (operation) => {
    const unset = { ...record, origin: null };
    expect(() => changesOf(unset, [operation], rules)).toThrow(refused('conflict'));
    expect(() => changesOf(unset, [operation], rules)).toThrow(/Operation 0 of the patch .* is not set/);
  });

  test('sees the result of earlier operations', () => {
    const remove = { op: 'remove', path: '/size' } as const;
    expect(() => changes(remove, remove)).toThrow('Operation 1 of the patch');
    expect(() => changes({ op: 'replace', path: '/size', value: null }, remove)).toThrow(refused('conflict'));
    expect(() => changes({ fieldName: 'size' }, { op: 'copy', from: '/size', path: '/note' })).toThrow(
      refused('conflict'),
    );
    expect(changes({ op: 'add', path: '/note', value: 'x' }, { op: 'remove', path: '/note' })).toEqual({});
  });

  test('validates the fields together after all operations', () => {
    expect(changes({ op: 'replace', path: '/size', value: 'x' }, { op: 'replace', path: '/size', value: 7 })).toEqual({
      size: 7,
    });
    expect(() => changes({ fieldName: 'size', value: -1 }, { fieldName: 'note', value: 'far too long' })).toThrow(
      expect.objectContaining({
        errors: [expect.objectContaining({ path: 'size' }), expect.objectContaining({ path: 'note' })],
      }) as Error,
    );
  });

  test('a patch is invalid for every state of the record or for none', () => {
    assert(
      property(anyPatch, anyState, anyState, (patch, one, other) => {
        expect(outcomeOf(one, patch) === 'invalid').toBe(outcomeOf(other, patch) === 'invalid');
      }),
      { numRuns: 2000 },
    );
  });

  test('refuses to copy a value that does not fit as a conflict', () => {
    const noted = { ...record, note: 'north', label: 'longer than a note' };
    expect(() => changesOf(noted, [{ op: 'copy', from: '/note', path: '/size' }], rules)).toThrow(refused('conflict'));
    expect(() => changesOf(noted, [{ op: 'copy', from: '/label', path: '/note' }], rules)).toThrow(
      /copies to note does not fit: it /,
    );
  });

  test('writes only permitted fields', () => {
    for (const path of ['/key', '/when', '', '/', '/size/x', '/__proto__', '/constructor/prototype', '/toString']) {
      expect(() => changes({ op: 'add', path, value: 1 })).toThrow(refused('invalid'));
      expect(() => changes({ op: 'remove', path })).toThrow(refused('invalid'));
      expect(() => changes({ op: 'move', from: path, path: '/note' })).toThrow(refused('invalid'));
    }
    for (const fieldName of ['key', '__proto__', 'constructor', 'siz']) {
      expect(() => changes({ fieldName, value: 1 })).toThrow(refused('invalid'));
    }
  });

  test('reads any field of the record, and nothing else', () => {
    expect(changes({ op: 'copy', from: '/key', path: '/size' })).toEqual({ size: 1 });
    for (const path of ['/__proto__', '/constructor', '/toString', '/hasOwnProperty', '/size/toFixed', '/missing']) {
      expect(() => changes({ op: 'test', path, value: null })).toThrow(refused('invalid'));
      expect(() => changes({ op: 'copy', from: path, path: '/note' })).toThrow(refused('invalid'));
    }
  });
});
