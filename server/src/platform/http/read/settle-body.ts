import type { Operation } from '@earshot/contract/operation';
import { invalidField } from '../../../errors.ts';

type Properties = Readonly<Record<string, SchemaView>>;

/** What is read of a schema here. */
interface SchemaView {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly items?: SchemaView;
  readonly anyOf?: readonly SchemaView[];
}

/** Rewrites a part of a parsed body in place. */
type Settle = (value: unknown, path: string) => void;

/** Other names under which clients in the field send a field. */
const otherNames: Readonly<Record<string, string>> = { deviceSerial: 'serialNumber' };

/** Whole numbers that clients also send as text. */
const textNumbers: ReadonlySet<string> = new Set(['count']);

/**
 * Compiles the function that gives a body the declared names before it is validated, so that every later check sees
 * only these: a name in another case counts as the declared one if that is absent. Where `null` means missing, fields
 * that are null are left out, and so are empty choices, and an epoch range from 0 to 0.
 * Texts are not changed, and neither is anything in a part of the body that has no declared fields.
 */
export function compileBodySettling(operation: Operation): ((body: unknown) => unknown) | undefined {
  if (!operation.body) return undefined;
  const lenient = operation.nullIsMissing;
  const settle = compile(operation.body, lenient);
  return (body) => {
    if (body === null && lenient && operation.bodyOptional) return undefined;
    settle?.(body, '');
    return body;
  };
}

function compile(schema: SchemaView, lenient: boolean): Settle | undefined {
  if (schema.items) return compileList(schema.items, lenient);
  const properties = schema.properties ?? joinedProperties(schema.anyOf ?? []);
  return Object.keys(properties).length > 0 ? compileObject(properties, new Set(schema.required), lenient) : undefined;
}

/** The fields of all alternatives: a body may use the names of any of them. */
const joinedProperties = (alternatives: readonly SchemaView[]): Properties =>
  Object.assign({}, ...alternatives.map(({ properties }) => properties)) as Properties;

function compileList(items: SchemaView, lenient: boolean): Settle | undefined {
  const settleEntry = compile(items, lenient);
  if (!settleEntry) return undefined;
  return (value, path) => {
    if (Array.isArray(value)) value.forEach((entry, index) => settleEntry(entry, `${path}[${index}]`));
  };
}

function compileObject(properties: Properties, required: ReadonlySet<string>, lenient: boolean): Settle {
  const declaredByLowerCase = new Map(
    Object.keys(properties).flatMap((name) => [
      [name.toLowerCase(), name],
      ...(otherNames[name] ? [[otherNames[name].toLowerCase(), name] as const] : []),
    ]) as [string, string][],
  );
  const nested = new Map<string, Settle>();
  for (const [name, schema] of Object.entries(properties)) {
    const settle = compile(schema, lenient);
    if (settle) nested.set(name, settle);
  }
  const hasOptionalRange = ['startEpoch', 'endEpoch'].every((name) => name in properties && !required.has(name));

  return (value, path) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const fields = value as Record<string, unknown>;
    useDeclaredNames(fields, properties, declaredByLowerCase, path);
    if (lenient) {
      for (const name of Object.keys(fields)) {
        const schema = properties[name];
        if (schema && isMissing(fields[name], schema)) delete fields[name];
        else if (textNumbers.has(name)) fields[name] = readNumber(fields[name]);
      }
      if (hasOptionalRange && fields['startEpoch'] === 0 && fields['endEpoch'] === 0) {
        delete fields['startEpoch'];
        delete fields['endEpoch'];
      }
    }
    for (const [name, settle] of nested) {
      if (Object.hasOwn(fields, name)) settle(fields[name], path === '' ? name : `${path}.${name}`);
    }
  };
}

function useDeclaredNames(
  fields: Record<string, unknown>,
  properties: Properties,
  declaredByLowerCase: ReadonlyMap<string, string>,
  path: string,
): void {
  let renamed: Map<string, string> | undefined;
  for (const given of Object.keys(fields)) {
    if (Object.hasOwn(properties, given)) continue;
    const declared = declaredByLowerCase.get(given.toLowerCase());
    if (declared === undefined || Object.hasOwn(fields, declared)) continue;
    renamed ??= new Map();
    const other = renamed.get(declared);
    if (other !== undefined) {
      throw invalidField(
        path === '' ? declared : `${path}.${declared}`,
        `is given twice, as ${other} and as ${given}; send it once, as ${declared}`,
      );
    }
    renamed.set(declared, given);
  }
  for (const [declared, given] of renamed ?? []) {
    fields[declared] = fields[given];
    delete fields[given];
  }
}

/** Null; or an empty text where one of several words is expected. */
const isMissing = (value: unknown, schema: SchemaView): boolean =>
  value === null || (value === '' && schema.enum !== undefined);

const readNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
