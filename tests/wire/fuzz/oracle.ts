import { plainMedia } from '@earshot/contract/operation';
import type { JsonSchema, OpenApiDocument, Reference, ResponseObject } from '@earshot/contract/openapi-document';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Answer } from '../send.ts';

/** Returns the differences between a response and the document; empty if there are none. */
export type Judge = (operation: { method: string; path: string }, answer: Answer) => readonly string[];

/** Checks responses against the OpenAPI document of the running server, without using code of the server. */
export function createOracle(document: OpenApiDocument): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/);
  ajv.addFormat('uri-reference', /^[\x21-\x7e…]*$/);
  ajv.addFormat('int64', { type: 'number', validate: Number.isSafeInteger });
  ajv.addSchema(closed(document) as object, 'document');
  const compiled = new Map<string, ValidateFunction>();

  function validate(pointer: string, value: unknown): readonly string[] {
    const check = compiled.get(pointer) ?? ajv.compile({ $ref: `document#${pointer}` });
    compiled.set(pointer, check);
    if (check(value)) return [];
    return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
  }

  return ({ method, path }, answer) => {
    const place = `/paths/${escape(path)}/${method.toLowerCase()}/responses/${answer.status}`;
    const declared = follow(document, place);
    if (!declared) return [`${answer.status} is not declared`];
    const { pointer, response } = declared;
    return [
      ...(answer.status >= 500 && answer.status !== 501 ? [`${answer.status}: ${answer.text}`] : []),
      ...missingHeaders(response, answer),
      // A response to HEAD has no body.
      ...(method === 'HEAD' ? [] : judgeContent(response, pointer, answer, validate)),
    ];
  };
}

function judgeContent(
  { content, 'x-may-be-empty': mayBeEmpty }: ResponseObject,
  pointer: string,
  answer: Answer,
  validate: (pointer: string, value: unknown) => readonly string[],
): readonly string[] {
  if (!content)
    return answer.text === '' && answer.type === '' ? [] : [`a body (${answer.type}) where none is declared`];
  if (mayBeEmpty && answer.text === '' && answer.type === '') return [];
  const media = content[answer.type] ?? content[answer.type.replace(/\/.*/, '/*')];
  if (!media) return [`the content type ${answer.type || 'none'} is not declared`];
  // Bytes are not checked.
  if (media.schema.format === 'binary') return [];
  // A stream has no end; its events have their own tests.
  if (answer.type === 'text/event-stream') return [];
  const schema = `${pointer}/content/${escape(answer.type)}/schema`;
  const isText = plainMedia.some((plain) => plain === answer.type) && content[answer.type]?.schema.type === 'string';
  try {
    return validate(schema, isText ? answer.text : answer.json);
  } catch {
    return [`the body is not JSON: ${answer.text.slice(0, 100)}`];
  }
}

const missingHeaders = ({ headers = {} }: ResponseObject, answer: Answer): readonly string[] =>
  Object.keys(headers)
    .filter((name) => !answer.headers[name.toLowerCase()])
    .map((name) => `${name} is missing`);

const escape = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));

/** A declared response, with its reference resolved. */
function follow(document: OpenApiDocument, pointer: string): { pointer: string; response: ResponseObject } | undefined {
  const found = resolve(document, pointer) as ResponseObject | Reference | undefined;
  if (!found) return undefined;
  return '$ref' in found ? follow(document, found.$ref.slice(1)) : { pointer, response: found };
}

function resolve(document: unknown, pointer: string): unknown {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
}

/** A record has exactly its declared fields, so open schemas are closed. */
function closed(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(closed);
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([name, value]) => [name, closed(value)])) as JsonSchema;
  const isOpenRecord = copy.type === 'object' && copy.properties && copy['additionalProperties'] === undefined;
  return isOpenRecord ? { ...copy, additionalProperties: false } : copy;
}
