import { createOpenApiDocument } from '@earshot/contract/openapi';
import type { JsonSchema } from '@earshot/contract/openapi-document';
import { operationList } from '@earshot/contract/operations';
import { compileRequest, createValidator } from '@earshot/contract/validation';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Answer } from '../send.ts';
import { createOracle } from './oracle.ts';
import { validValues } from './values.ts';

const judge = createOracle(createOpenApiDocument({ version: '0', operations: operationList }));
const getAgent = { method: 'GET', path: '/v1/agent/{agentID}' };
const putAgent = { method: 'PUT', path: '/v1/agent/{agentID}' };
const register = { method: 'POST', path: '/v1/agent' };

function answer(status: number, body: unknown, changes: Record<string, string | undefined> = {}): Answer {
  const problem = status >= 400 ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8';
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const headers = {
    'x-request-id': 'x',
    'earshot-server': '0',
    'content-type': text === '' ? undefined : problem,
    ...changes,
  };
  return {
    status,
    headers,
    bytes: Buffer.from(text),
    text,
    type: (headers['content-type'] ?? '').split(';')[0] ?? '',
    json: JSON.parse(text || 'null'),
  };
}

const agent = { key: 1, creationDate: '2026-11-15T01:10:00.000Z', agentName: 'x' };
const problem = (status: number) => ({ type: '/api#x', title: 't', status, detail: 'd', instance: '/x' });

describe('the oracle accepts', () => {
  test.each([
    ['a record', getAgent, answer(200, agent)],
    [
      'a record with another content type',
      getAgent,
      answer(200, agent, { 'content-type': 'text/plain; charset=utf-8' }),
    ],
    ['no body if none is declared', putAgent, answer(200, '')],
    ['a declared problem', getAgent, answer(404, problem(404))],
    ['a string of registration', register, answer(400, '"no"', { 'content-type': 'application/json' })],
    ['its plain text', register, { ...answer(400, '""'), text: 'no', type: 'text/plain' }],
  ])('%s', (_name, operation, given) => {
    expect(judge(operation, given)).toEqual([]);
  });
});

describe('the oracle rejects', () => {
  test.each([
    ['a status that is not declared', getAgent, answer(418, problem(418))],
    ['a success that is not declared', getAgent, answer(201, agent)],
    ['a fault', getAgent, answer(500, problem(500))],
    ['an unavailable server', getAgent, answer(503, problem(503), { 'retry-after': '1' })],
    ['no id', getAgent, answer(200, agent, { 'x-request-id': undefined })],
    ['no challenge', getAgent, answer(401, problem(401))],
    ['a missing Retry-After', getAgent, answer(429, problem(429))],
    ['another content type', getAgent, answer(200, agent, { 'content-type': 'text/html' })],
    ['no content type', getAgent, answer(200, agent, { 'content-type': undefined })],
    [
      'a problem with the content type of a record',
      getAgent,
      answer(404, problem(404), { 'content-type': 'application/json' }),
    ],
    ['a body if none is declared', putAgent, answer(200, {})],
    ['no body if one is declared', getAgent, answer(200, '')],
    [
      'a body that is not JSON',
      getAgent,
      {
        ...answer(200, agent),
        get json(): unknown {
          throw new SyntaxError('no');
        },
      },
    ],
    ['a field that is not declared', getAgent, answer(200, { ...agent, secret: 1 })],
    ['null', getAgent, answer(200, { ...agent, agentName: null })],
    ['text for a number', getAgent, answer(200, { ...agent, key: '1' })],
    ['an integer that is too large', getAgent, answer(200, { ...agent, key: 2 ** 53 })],
    ['a date without milliseconds', getAgent, answer(200, { ...agent, creationDate: '2026-11-15T01:10:00Z' })],
    ['a date with an offset', getAgent, answer(200, { ...agent, creationDate: '2026-11-15T01:10:00.000+00:00' })],
    ['a problem without a title', getAgent, answer(404, { ...problem(404), title: undefined })],
    ['a problem with another field', getAgent, answer(404, { ...problem(404), stack: 'at' })],
    [
      'an object for the string of registration',
      register,
      answer(400, problem(400), { 'content-type': 'application/json' }),
    ],
  ])('%s', (_name, operation, given) => {
    expect(judge(operation, given)).not.toEqual([]);
  });
});

test('generated valid values are valid by the contract', () => {
  const validator = createValidator();
  for (const [name, operation] of operationList) {
    const { body } = compileRequest(operation, validator);
    if (!body) continue;
    for (const value of fc.sample(validValues(operation.body as JsonSchema), { numRuns: 50, seed: 1 })) {
      expect([name, value, body(value)]).toEqual([name, value, undefined]);
    }
  }
});
