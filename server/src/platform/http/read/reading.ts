import type { InputOf, Operation } from '@earshot/contract/operation';
import { readTextValues } from '@earshot/contract/path-values';
import type { Validate, Validator } from '@earshot/contract/validation';
import { compileRequest } from '@earshot/contract/validation';
import type { FastifyRequest } from 'fastify';
import { invalid, invalidField, Refusal } from '../../../errors.ts';
import { parseJsonText, textFault } from './json-text.ts';
import { parseQueryText, singleValues } from './query-text.ts';
import { compileBodySettling } from './settle-body.ts';

/** The body as received; a signature covers its bytes. */
export const bodyBytes = (request: FastifyRequest): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);

/** Compiles the function that validates a request. It reports all faults of a part at once. */
export function compileReader(
  operation: Operation,
  validator: Validator,
): (request: FastifyRequest) => InputOf<Operation> {
  const validate = compileRequest(operation, validator);
  const settle = compileBodySettling(operation);
  const hasParams = Object.keys(operation.params.properties).length > 0;
  const hasQuery = Object.keys(operation.query.properties).length > 0;
  const hasHeaders = Object.keys(operation.headers.properties).length > 0;
  return (request) => ({
    params: hasParams ? readParams(operation, request, validate.params) : {},
    headers: hasHeaders ? readHeaders(operation, request, validate.headers) : {},
    query: hasQuery ? readQuery(operation, request, validate.query) : {},
    body: validate.body && settle ? readBody(operation, request, settle, validate.body) : undefined,
  });
}

function readParams(operation: Operation, request: FastifyRequest, validate: Validate): Record<string, unknown> {
  const texts = request.params as Record<string, string>;
  for (const [name, value] of Object.entries(texts)) {
    const fault = textFault(value);
    if (fault) throw invalidField(name, fault);
  }
  return checked(readTextValues(operation.params, texts), validate);
}

function readQuery(operation: Operation, request: FastifyRequest, validate: Validate): Record<string, unknown> {
  const pairs = parseQueryText(request.raw.url ?? '');
  return checked(readTextValues(operation.query, singleValues(pairs, operation.query.properties)), validate);
}

function readHeaders(operation: Operation, request: FastifyRequest, validate: Validate): Record<string, unknown> {
  const texts = Object.fromEntries(
    Object.keys(operation.headers.properties).map((name) => [name, request.headers[name]?.toString()]),
  );
  return checked(readTextValues(operation.headers, texts), validate);
}

function readBody(
  operation: Operation,
  request: FastifyRequest,
  settle: (body: unknown) => unknown,
  validate: Validate,
): unknown {
  const bytes = bodyBytes(request);
  const body = bytes.length === 0 ? undefined : settle(parseJsonText(bytes));
  if (body !== undefined) return checked(body, validate);
  if (operation.bodyOptional) return undefined;
  throw new Refusal('invalid', 'A JSON body is required.');
}

function checked<Value>(value: Value, validate: Validate): Value {
  const errors = validate(value);
  if (errors) throw invalid(errors);
  return value;
}
