import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { TSchema } from 'typebox';
import { dateTimeFormat, parseDateTime } from './date-time.ts';
import type { Operation } from './operation.ts';
import { isTimeZone } from './time-zone.ts';
import { tightPattern } from './values.ts';

export interface FieldError {
  /** The field, such as `audioClips[3].startTime`; empty for the whole value. */
  readonly path: string;
  readonly message: string;
}

/** Undefined when the value is valid. */
export type Validate = (value: unknown) => readonly FieldError[] | undefined;

/** Enough to correct a request, without flooding the response for a list of a thousand invalid clips. */
const mostErrors = 20;

export interface Validator {
  /** The schema is compiled when the function is first called; a schema with a fault makes that call throw. */
  compile(schema: TSchema): Validate;
}

export function createValidator(): Validator {
  // Nothing is coerced, defaulted or removed: validation applies to the value as received.
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    allowUnionTypes: true,
    strictNumbers: true,
    // Includes the schema in each error; its description tells what was expected.
    verbose: true,
    // A test checks all schemas against the schema of schemas; compiling that one would delay every start.
    validateSchema: false,
  });
  ajv.addFormat(dateTimeFormat, (text: string) => parseDateTime(text) !== undefined);
  ajv.addFormat('time-zone', isTimeZone);
  ajv.addFormat('uri-reference', true);
  return {
    compile(schema) {
      // Compiling takes milliseconds, and there are hundreds of schemas: doing it at the start would delay every start.
      let compiled: ValidateFunction | undefined;
      return (value) => {
        compiled ??= ajv.compile(schema);
        return compiled(value) ? undefined : explain(compiled);
      };
    },
  };
}

function explain(validate: ValidateFunction): readonly FieldError[] {
  const errors = validate.errors ?? [];
  const unions = errors.filter(({ keyword }) => keyword === 'anyOf');
  const withinUnion = (error: ErrorObject) =>
    unions.some(
      ({ schemaPath, instancePath }) =>
        error.schemaPath.startsWith(`${schemaPath}/`) && error.instancePath.startsWith(instancePath),
    );
  return errors
    .filter((error) => !withinUnion(error))
    .slice(0, mostErrors)
    .map((error) => ({ path: fieldPath(error), message: message(error) }));
}

function fieldPath(error: ErrorObject): string {
  const steps = error.instancePath.split('/').slice(1).map(unescapePointer);
  if (error.keyword === 'required') steps.push(String(error.params['missingProperty']));
  return steps.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : index === 0 ? step : `.${step}`)).join('');
}

const unescapePointer = (step: string) => step.replaceAll('~1', '/').replaceAll('~0', '~');

const typeNames: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** Describes in words what was expected. */
function message(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error;
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return `must be ${[params['type']]
        .flat()
        .map((name: string) => typeNames[name] ?? name)
        .join(' or ')}`;
    case 'minimum':
      return `must be at least ${params['limit']}`;
    case 'maximum':
      return `must be at most ${params['limit']}`;
    case 'minLength':
      return params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`;
    case 'maxLength':
      return `must have at most ${params['limit']} characters`;
    case 'minItems':
      return `must have at least ${params['limit']} entries`;
    case 'maxItems':
      return `must have at most ${params['limit']} entries`;
    case 'enum':
      return `must be one of ${params['allowedValues'].join(', ')}`;
    case 'pattern':
      if (params['pattern'] !== tightPattern) return `must be ${described(parentSchema) ?? `valid (${keyword})`}`;
      return 'must not begin or end with white space; leave it out';
    case 'format':
      return formatMessages[params['format'] as string] ?? `must be a ${params['format']}`;
    default:
      return `must be ${described(parentSchema) ?? `valid (${keyword})`}`;
  }
}

const formatMessages: Record<string, string> = {
  [dateTimeFormat]: 'must be an ISO 8601 date-time with an offset or Z, such as 2026-11-15T01:10:00.000Z',
  'time-zone': 'must be a time zone of the IANA database, such as Europe/Zurich',
};

function described(schema: unknown): string | undefined {
  const { description, examples } = schema as { description?: string; examples?: unknown[] };
  if (description) return description.replace(/\.$/, '').replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
  return examples?.length ? `like ${JSON.stringify(examples[0])}` : undefined;
}

/** Validators for the three parts of an operation's request. */
export function compileRequest(
  operation: Operation,
  validator: Validator,
): Record<'params' | 'query' | 'headers', Validate> & { body?: Validate } {
  return {
    params: validator.compile(operation.params),
    query: validator.compile(operation.query),
    headers: validator.compile(operation.headers),
    ...(operation.body ? { body: validator.compile(operation.body) } : {}),
  };
}
