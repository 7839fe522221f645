import type { FieldPatchOperation, JsonPatchOperation, Patch } from '@earshot/contract/patch';
import { isJsonPatch } from '@earshot/contract/patch';
import { readTextValue } from '@earshot/contract/path-values';
import type { FieldError, Validate } from '@earshot/contract/validation';
// Not the whole package: beside its main file stands its source, which tsx would load, and which does not run.
import type { Operation as FastOperation } from 'fast-json-patch/commonjs/core.js';
import { applyOperation } from 'fast-json-patch/commonjs/core.js';
import type { TSchema } from 'typebox';
import { conflict, invalid } from '../errors.ts';

type Document = Record<string, unknown>;

export interface PatchRules {
  /** The fields that may change, with their schemas. */
  readonly fields: Readonly<Record<string, TSchema>>;
  /** Validates the changed fields together. */
  readonly validate: Validate;
}

/**
 * Applies a patch in either format to a record and returns the changed fields with their new values (null: cleared).
 * The first operation that cannot be applied refuses the whole patch. Whether a patch is invalid (400) depends only on
 * the patch itself. A valid patch that the current record does not permit is a conflict (409).
 */
export function changesOf(record: Document, patch: Patch, rules: PatchRules): Document {
  const before = settled(record);
  const operations = patch.map((operation, index) => asJsonPatch(operation, index, before, rules));
  const givenErrors = rules.validate(givenValues(operations));
  if (givenErrors) throw invalid(givenErrors);
  const after = operations.reduce(apply, before);
  const changes: Document = {};
  for (const name of Object.keys(rules.fields)) {
    if ((before[name] ?? null) !== (after[name] ?? null)) changes[name] = after[name] ?? null;
  }
  const copied = rules.validate(changes)?.[0];
  if (copied) throw conflict(`The value that the patch copies to ${copied.path} does not fit: it ${copied.message}.`);
  return changes;
}

/** The final values of the fields whose value the patch itself gives. Other fields depend on the record. */
function givenValues(operations: readonly JsonPatchOperation[]): Document {
  const values = new Map<string, unknown>();
  for (const { op, path, from, value } of operations) {
    const [target, source] = [path.slice(1), from?.slice(1) ?? ''];
    if (op === 'add' || op === 'replace') values.set(target, value);
    if (op === 'remove') values.set(target, null);
    if (op === 'copy' || op === 'move') {
      const isGiven = values.has(source);
      const moved = values.get(source);
      if (op === 'move') values.set(source, null);
      if (isGiven) values.set(target, moved);
      else values.delete(target);
    }
  }
  return Object.fromEntries(values);
}

/**
 * The record as JSON, with unset fields present as null. For a client that patches, each field of the record exists
 * whether or not it is set, so `replace` may set it for the first time and `test` may expect null. Operations that read
 * or remove a value (`remove`, `copy`, `move`) require that it is set.
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

const refuse = (index: number, path: string, message: string): Error =>
  invalid([{ path: `[${index}].${path}`, message } satisfies FieldError]);

/** Any field of the record may be tested or copied from; only permitted fields may be written. */
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
    // Only a test may read the whole record, which fits no field.
    const isWhole = pointer === '' && op === 'test';
    if (may === 'read' && !isWhole && !pointsInto(record, pointer)) {
      throw refuse(index, name, 'must name a field of the record');
    }
    if (may === 'write' && !pointsInto(fields, pointer)) {
      throw refuse(index, name, `names no field that may be patched; those are ${Object.keys(fields).join(', ')}`);
    }
  }
}

/** Records are flat, and no field name needs escaping in a JSON Pointer. */
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
  const type = [(fields[name] as { type?: string | string[] }).type].flat()[0];
  const given = typeof value === 'string' ? readTextValue(type, value) : value;
  return { op: 'add', path: `/${name}`, value: given ?? null };
}

/** The field that the operation removes or copies: RFC 6902 requires that it exists. */
function sourceOf({ op, path, from }: JsonPatchOperation): string | undefined {
  if (op === 'remove') return path.slice(1);
  return op === 'copy' || op === 'move' ? from?.slice(1) : undefined;
}

function apply(before: Document, operation: JsonPatchOperation, index: number): Document {
  const which = `Operation ${index} of the patch`;
  const source = sourceOf(operation);
  if (source !== undefined && before[source] === null) {
    throw conflict(
      `${which} cannot ${operation.op} ${source}, which is not set. Leave the operation out, or set the field first.`,
    );
  }
  // A test of the whole record compares what clients see, without unset fields.
  const target = operation.path === '' ? withoutUnset(before) : before;
  try {
    const { newDocument } = applyOperation({ ...target }, operation as FastOperation, true, true, true);
    // A removed field is unset, represented as null.
    return { ...Object.fromEntries(Object.keys(before).map((name) => [name, null])), ...newDocument };
  } catch (error) {
    const { name } = error as { name?: string };
    if (name === 'TEST_OPERATION_FAILED') throw conflict(`${which} failed: the record does not have the tested value.`);
    const reason = String(name).toLowerCase().replaceAll('_', ' ');
    throw conflict(`${which} cannot be applied to the current record (${reason}).`);
  }
}

const withoutUnset = (record: Document): Document =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
