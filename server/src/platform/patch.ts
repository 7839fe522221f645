import type { FieldPatchOperation, JsonPatchOperation, Patch } from '@earshot/contract/patch';
import { jsonPatchNames } from '@earshot/contract/patch';
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
  const operations = patch.map((operation, index) => asJsonPatch(operation, index, before, rules));
  const after = operations.reduce(apply, before);
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
 * the record exists whether or not it was set yet, so `replace` may be the first to set it, and `test` may ask
 * for null. What takes a value away from a field (`remove`, `copy`, `move`) needs one that is set.
 */
const settled = (record: Document): Document => JSON.parse(JSON.stringify(record)) as Document;

function asJsonPatch(
  operation: JsonPatchOperation | FieldPatchOperation,
  index: number,
  record: Document,
  rules: PatchRules,
): JsonPatchOperation {
  if (!isJsonPatch(operation)) return fieldAsJsonPatch(operation, index, rules);
  requirePermitted(operation, index, record, rules);
  return operation;
}

/** What could be read in both forms is JSON Patch, which ignores the members that it does not define. */
const isJsonPatch = (operation: object): operation is JsonPatchOperation =>
  'op' in operation &&
  (jsonPatchNames as readonly unknown[]).includes(operation.op) &&
  'path' in operation &&
  typeof operation.path === 'string';

const refuse = (index: number, path: string, message: string): Error =>
  invalid([{ path: `[${index}].${path}`, message } satisfies FieldError]);

/** Any field of the record may be tested or copied from; only permitted ones may be written. */
function requirePermitted(
  operation: JsonPatchOperation,
  index: number,
  record: Document,
  { fields }: PatchRules,
): void {
  const { op, path, from } = operation;
  if (['add', 'replace', 'test'].includes(op) && !('value' in operation)) {
    throw refuse(index, 'value', `is required by ${op}`);
  }
  if ((op === 'move' || op === 'copy') && typeof from !== 'string') throw refuse(index, 'from', `is required by ${op}`);

  const pathMay = op === 'test' ? 'read' : 'write';
  const fromMay = op === 'move' ? 'write' : op === 'copy' ? 'read' : 'ignore';
  for (const [name, pointer, may] of [
    ['path', path, pathMay],
    ['from', from ?? '', fromMay],
  ] as const) {
    if (may === 'read' && pointer !== '' && !pointsInto(record, pointer)) {
      throw refuse(index, name, 'names no field of the record');
    }
    if (may === 'write' && !pointsInto(fields, pointer)) {
      throw refuse(index, name, `names no field that may be patched; those are ${Object.keys(fields).join(', ')}`);
    }
  }
}

/** Records are flat, and no field's name needs an escape in a JSON Pointer. */
const pointsInto = (fields: object, pointer: string): boolean =>
  pointer.startsWith('/') && Object.hasOwn(fields, pointer.slice(1));

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

/** The field whose value the operation takes away or copies: RFC 6902 requires that it exists. */
function sourceOf({ op, path, from }: JsonPatchOperation): string | undefined {
  if (op === 'remove') return path.slice(1);
  return op === 'copy' || op === 'move' ? from?.slice(1) : undefined;
}

function apply(before: Document, operation: JsonPatchOperation, index: number): Document {
  const which = `Operation ${index} of the patch`;
  const source = sourceOf(operation);
  if (source !== undefined && before[source] === null) {
    throw conflict(`${which} is to ${operation.op} ${source}, which is not set; leave it out, or set the field first.`);
  }
  // A test of the whole is of what clients see, where unset fields are left out.
  const target = operation.path === '' ? withoutUnset(before) : before;
  try {
    const { newDocument } = fastJsonPatch.applyOperation({ ...target }, operation as FastOperation, true, true, true);
    // What was removed is unset, as it was before it was first set.
    return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...newDocument };
  } catch (error) {
    const { name } = error as { name?: string };
    if (name === 'TEST_OPERATION_FAILED') throw conflict(`${which} is a test that does not hold.`);
    const reason = String(name).toLowerCase().replaceAll('_', ' ');
    throw conflict(`${which} cannot be applied to the record as it is (${reason}).`);
  }
}

const withoutUnset = (record: Document): Document =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
