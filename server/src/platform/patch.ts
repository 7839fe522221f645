import type { FieldPatchOperation, JsonPatchOperation, Patch } from '@earshot/contract/patch';
import { readTextValue } from '@earshot/contract/path-values';
import type { FieldError, Validate } from '@earshot/contract/validation';
import type { Operation as FastOperation } from 'fast-json-patch';
import fastJsonPatch from 'fast-json-patch';
import type { TSchema } from 'typebox';
import { conflict, invalid } from '../errors.ts';

type Document = Record<string, unknown>;

export interface PatchRules {
  /** The fields that may change, with their schemas. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** Judges the changed fields together. */
  readonly validate: Validate;
}

/**
 * Applies a patch in either form to a record and says which fields it changes to what (null: cleared).
 * All or nothing: the first operation that cannot be applied refuses the whole.
 */
export function changesOf(record: Document, patch: Patch, rules: PatchRules): Document {
  const before = settled(record);
  const operations = patch.map((operation, index) => asJsonPatch(operation, index, rules));
  const after = apply(before, operations);
  const changes: Document = {};
  for (const name of Object.keys(rules.fields)) {
    if ((before[name] ?? null) !== (after[name] ?? null)) changes[name] = after[name] ?? null;
  }
  const errors = rules.validate(changes);
  if (errors) throw invalid(errors);
  return changes;
}

/**
 * The record as its JSON reads, but with unset fields present as null: to a client that patches, a field of
 * the record exists whether or not it was set yet, so `replace` may be the first to set it.
 */
const settled = (record: Document): Document => JSON.parse(JSON.stringify(record)) as Document;

function asJsonPatch(
  operation: JsonPatchOperation | FieldPatchOperation,
  index: number,
  rules: PatchRules,
): JsonPatchOperation {
  if ('op' in operation) {
    requirePermitted(operation, index, rules);
    return operation;
  }
  return fieldAsJsonPatch(operation, index, rules);
}

const refuse = (index: number, path: string, message: string): Error =>
  invalid([{ path: `[${index}].${path}`, message } satisfies FieldError]);

/** Any field may be tested or copied from; only permitted ones may be written. */
function requirePermitted(operation: JsonPatchOperation, index: number, { fields }: PatchRules): void {
  if (['add', 'replace', 'test'].includes(operation.op) && !('value' in operation)) {
    throw refuse(index, 'value', `is required by ${operation.op}`);
  }
  if (['move', 'copy'].includes(operation.op) && operation.from === undefined) {
    throw refuse(index, 'from', `is required by ${operation.op}`);
  }
  for (const [name, pointer] of [
    ['path', operation.path],
    ['from', operation.from],
  ] as const) {
    if (pointer !== undefined && !/^(\/([^~]|~[01])*)?$/.test(pointer))
      throw refuse(index, name, 'is not a JSON Pointer');
  }
  const written = [
    ...(operation.op === 'test' ? [] : [['path', operation.path] as const]),
    ...(operation.op === 'move' ? [['from', operation.from ?? ''] as const] : []),
  ];
  for (const [name, pointer] of written) {
    if (!Object.hasOwn(fields, pointer.slice(1)) || !pointer.startsWith('/')) {
      throw refuse(index, name, `names no field that may be patched; those are ${Object.keys(fields).join(', ')}`);
    }
  }
}

function fieldAsJsonPatch(
  { fieldName, value }: FieldPatchOperation,
  index: number,
  { fields }: PatchRules,
): JsonPatchOperation {
  const name = Object.keys(fields).find((field) => field.toLowerCase() === fieldName.toLowerCase());
  if (name === undefined) {
    throw refuse(index, 'fieldName', `may not be patched; those that may are ${Object.keys(fields).join(', ')}`);
  }
  const path = `/${name}`;
  if (value === null || value === undefined) return { op: 'add', path, value: null };
  const type = [(fields[name] as { type?: string | string[] }).type].flat()[0];
  return { op: 'add', path, value: typeof value === 'string' ? readTextValue(type, value) : value };
}

function apply(before: Document, operations: readonly JsonPatchOperation[]): Document {
  try {
    return fastJsonPatch.applyPatch(before, operations as FastOperation[], true, false, true).newDocument;
  } catch (error) {
    const { name, index } = error as { name?: string; index?: number };
    const which = `Operation ${index ?? '?'} of the patch`;
    if (name === 'TEST_OPERATION_FAILED') throw conflict(`${which} is a test that does not hold.`);
    throw conflict(
      `${which} cannot be applied to the record as it is (${String(name).toLowerCase().replaceAll('_', ' ')}).`,
    );
  }
}
