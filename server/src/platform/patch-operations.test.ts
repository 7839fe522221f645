import type { Patch } from '@earshot/contract/patch';
import { createValidator } from '@earshot/contract/validation';
import { clearable } from '@earshot/contract/values';
import { Type } from 'typebox';
import { expect, test } from 'vitest';
import type { Refusal } from '../errors.ts';
import { changesOf } from './patch.ts';

const fields = { size: clearable(Type.Integer({ minimum: 0 })), note: clearable(Type.String({ maxLength: 9 })) };
const rules = { fields, validate: createValidator().compile(Type.Partial(Type.Object(fields))) };
const record = { key: 1, size: 5, note: 'north', label: null };

const changes = (...patch: readonly object[]) => changesOf(record, patch as Patch, rules);
/** The code of the refusal, and the place of the patch that it names. */
function refusalOf(...patch: readonly object[]) {
  try {
    return changes(...patch);
  } catch (error) {
    const { code, message, errors } = error as Refusal;
    return [code, errors?.[0]?.path ?? message];
  }
}

test.each(['add', 'replace', 'test'])('%s requires a value, which may be null', (op) => {
  expect(refusalOf({ op, path: '/size' })).toEqual(['invalid', '[0].value']);
  expect(refusalOf({ op: 'remove', path: '/note' }, { op, path: '/note', value: null })).toEqual({ note: null });
});

test.each(['copy', 'move'])('%s requires a source', (op) => {
  expect(refusalOf({ op, path: '/size' })).toEqual(['invalid', '[0].from']);
  expect(refusalOf({ op, path: '/size', from: 5 })).toEqual(['invalid', '[0].from']);
});

test('what a later operation replaces, removes or copies over need not be valid', () => {
  const wrong = { op: 'add', path: '/note', value: 'far too long' };
  expect(refusalOf(wrong)).toEqual(['invalid', 'note']);
  expect(changes(wrong, { op: 'replace', path: '/note', value: 'south' })).toEqual({ note: 'south' });
  expect(changes(wrong, { op: 'remove', path: '/note' })).toEqual({ note: null });
  expect(refusalOf(wrong, { op: 'copy', from: '/key', path: '/note' })).toEqual(['conflict', expect.any(String)]);
  // The value moves, and so does its fault.
  expect(refusalOf({ op: 'add', path: '/size', value: 'x' }, { op: 'move', from: '/size', path: '/note' })).toEqual({
    size: null,
    note: 'x',
  });
  expect(refusalOf(wrong, { op: 'copy', from: '/note', path: '/size' })).toEqual(['invalid', expect.any(String)]);
});

test('only fields that may be patched are written; a move writes its source too', () => {
  expect(refusalOf({ op: 'copy', from: '/key', path: '/size' })).toEqual({ size: 1 });
  expect(refusalOf({ op: 'move', from: '/key', path: '/size' })).toEqual(['invalid', '[0].from']);
  expect(refusalOf({ op: 'test', path: '/size', value: 5 }, { op: 'add', path: '/key', value: 2 })).toEqual([
    'invalid',
    '[1].path',
  ]);
  expect(refusalOf({ op: 'add', path: '', value: {} })).toEqual(['invalid', '[0].path']);
  expect(refusalOf({ op: 'copy', from: '', path: '/size' })).toEqual(['invalid', '[0].from']);
  expect(refusalOf({ op: 'test', path: '/other', value: 1 })).toEqual(['invalid', '[0].path']);
});

test('the whole record may be tested, without its unset fields', () => {
  expect(changes({ op: 'test', path: '', value: { key: 1, size: 5, note: 'north' } })).toEqual({});
  expect(refusalOf({ op: 'test', path: '', value: record })).toEqual([
    'conflict',
    expect.stringContaining('tested value'),
  ]);
});

test.each(['remove', 'copy', 'move'])('%s needs a value that is set', (op) => {
  const cleared = { op: 'remove', path: '/note' };
  const again = op === 'remove' ? { op, path: '/note' } : { op, from: '/note', path: '/size' };
  expect(refusalOf(cleared, again)).toEqual([
    'conflict',
    expect.stringMatching(new RegExp(`^Operation 1 of the patch cannot ${op} note, which is not set`)),
  ]);
});

test('a field is named in any case, and null or nothing clears it', () => {
  expect(changes({ fieldName: 'NOTE', value: 'south' })).toEqual({ note: 'south' });
  expect(changes({ fieldName: 'note', value: null }, { fieldName: 'Size' })).toEqual({ note: null, size: null });
  expect(changes({ fieldName: 'size', value: '7' })).toEqual({ size: 7 });
  expect(changes({ fieldName: 'size', value: 8 })).toEqual({ size: 8 });
  expect(refusalOf({ fieldName: 'key', value: 2 })).toEqual(['invalid', '[0].fieldName']);
});

test('an operation of both formats is JSON Patch; one without its name or path is not', () => {
  expect(changes({ op: 'replace', path: '/size', value: 6, fieldName: 'note' })).toEqual({ size: 6 });
  expect(changes({ op: 'set', path: '/size', value: 'south', fieldName: 'note' })).toEqual({ note: 'south' });
  expect(changes({ op: 'replace', value: 'south', fieldName: 'note' })).toEqual({ note: 'south' });
  expect(changes({ op: 'replace', path: 5, value: 'south', fieldName: 'note' })).toEqual({ note: 'south' });
});
