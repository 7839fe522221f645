import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { createOpenApiDocument } from './openapi.ts';
import type { OpenApiDocument, OperationObject, ResponseObject } from './openapi-document.ts';
import type { Access, Operation } from './operation.ts';
import { operation, readsOnly } from './operation.ts';
import { operationList } from './operations.ts';
import { getAudioClip, patchAudioClip } from './audio-clip.ts';
import { longPollEvents } from './event-work.ts';

const document = createOpenApiDocument({ version: '1.2.3', operations: operationList });

const describeOne = (declared: Operation): OpenApiDocument =>
  createOpenApiDocument({ version: '0', operations: [['one', declared]] });

const onlyOperation = (declared: Operation): OperationObject =>
  Object.values(Object.values(describeOne(declared).paths)[0]!)[0]!;

const get = (access: Access) =>
  operation('device', { method: 'GET', path: '/v1/thing', summary: 'Read', access, acts: [] });

const written = { path: '/v1/thing', summary: 'Write', access: 'caller', acts: [], trail: readsOnly } as const;
const put = (body: Parameters<typeof operation>[1]['body']) =>
  operation('device', { ...written, method: 'PUT', body: body! });

function everyReference(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { $ref } = part as { $ref?: unknown };
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(part).flatMap(everyReference)];
}

function resolve(pointer: string): unknown {
  const steps = pointer.replace(/^#\//, '').split('/');
  return steps.reduce<unknown>((part, step) => (part as Record<string, unknown> | undefined)?.[step], document);
}

describe('the whole document', () => {
  test('says what it is', () => {
    expect(document.openapi).toBe('3.1.1');
    expect(document.info).toMatchObject({
      title: 'Earshot',
      version: '1.2.3',
      license: { identifier: 'Apache-2.0' },
    });
    expect(document.servers[0]!.url).toBe('/');
  });

  test('holds every operation once, under its path, method and name', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
    );
    const declared = operationList.map(([name, { method, path }]) => `${name} ${method} ${path}`);
    expect(described.toSorted()).toEqual(declared.toSorted());
  });

  test('describes every tag that is used', () => {
    const used = new Set(operationList.map(([, { resource }]) => resource));
    expect(new Set(document.tags.map(({ name }) => name))).toEqual(used);
    for (const { description } of document.tags) expect(description).not.toBe('');
  });

  test('refuses a resource without a description', () => {
    const unheardOf = operation('unheard-of', {
      method: 'GET',
      path: '/v1/x',
      summary: 'X',
      access: 'anyone',
      acts: [],
    });
    expect(() => describeOne(unheardOf)).toThrow('unheard-of');
  });

  test('refuses two operations in one place', () => {
    const operations = [['one', get('caller')] as const, ['other', get('agent')] as const];
    expect(() => createOpenApiDocument({ version: '0', operations })).toThrow('GET /v1/thing');
  });

  test('refers only to what is there', () => {
    const references = everyReference(document);
    expect(references.length).toBeGreaterThan(100);
    expect(references.filter((pointer) => resolve(pointer) === undefined)).toEqual([]);
  });

  test('is the same text for any order of the operations within a tag', () => {
    const shuffled = operationList.toReversed();
    const again = createOpenApiDocument({ version: '1.2.3', operations: shuffled });
    const withoutTags = (one: OpenApiDocument) => JSON.stringify({ ...one, tags: [] });
    expect(withoutTags(again)).toBe(withoutTags(document));
  });
});

describe('schemas', () => {
  const Inner = Type.Object({ size: Type.Integer({ minimum: 1, maximum: 9 }) }, { title: 'Inner' });

  test('with a title stand once and are referred to, however deep', () => {
    const Outer = Type.Object(
      {
        one: Inner,
        several: Type.Array(Inner),
        either: Type.Union([Inner, Type.String()]),
        byName: Type.Record(Type.String(), Inner),
      },
      { title: 'Outer' },
    );
    const { schemas } = describeOne(put(Outer)).components;
    const reference = { $ref: '#/components/schemas/Inner' };
    expect(schemas['Outer']!.properties).toMatchObject({
      one: reference,
      several: { type: 'array', items: reference },
      either: { anyOf: [reference, { type: 'string' }] },
    });
    expect(Object.values(schemas['Outer']!.properties!['byName']!['patternProperties'] as object)).toEqual([reference]);
    expect(schemas['Inner']!.properties!['size']).toMatchObject({ minimum: 1, maximum: 9 });
  });

  test('are not mistaken for named ones by a field called title', () => {
    const body = put(Type.Object({ title: Type.String({ maxLength: 3 }) }, { title: 'Book' }));
    expect(describeOne(body).components.schemas['Book']!.properties!['title']).toEqual({
      type: 'string',
      maxLength: 3,
    });
  });

  test('of one title must be the same', () => {
    const two = (second: typeof Inner) => Type.Object({ first: Inner, second });
    const same = Type.Object({ size: Type.Integer({ maximum: 9, minimum: 1 }) }, { title: 'Inner' });
    const different = Type.Object({ size: Type.Integer({ minimum: 2, maximum: 9 }) }, { title: 'Inner' });
    expect(() => describeOne(put(two(same)))).not.toThrow();
    expect(() => describeOne(put(two(different)))).toThrow('Inner');
  });

  test('keep bounds, formats, patterns and examples', () => {
    expect(document.components.schemas['CreateDevice']!.properties!['deviceSerial']).toMatchObject({
      type: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: expect.stringContaining('[A-Za-z0-9._-]+'),
      examples: ['recorder-17'],
    });
    expect(document.components.schemas['CreateDevice']!.properties!['timeZone']!.format).toBe('time-zone');
    expect(document.components.schemas['Device']!.properties!['creationDate']!.format).toBe('date-time');
    expect(document.components.schemas['AgentUpdate']!.properties!['agentName']!.type).toEqual(['string', 'null']);
  });

  test('say that integers take 64 bits', () => {
    const { Device, AgentUpdate } = document.components.schemas;
    expect(Device!.properties!['key']!.format).toBe('int64');
    expect(AgentUpdate!.properties!['processID']!.format).toBe('int64');
  });
});

describe('parameters', () => {
  const declared = operation('agent', {
    method: 'GET',
    path: '/v1/agent/{agentID}',
    summary: 'Read',
    access: 'caller',
    acts: [{ record: 'agent', right: 'read', by: 'params.agentID' }],
    params: { agentID: Type.Integer({ examples: [7] }) },
    query: {
      all: Type.Optional(Type.Boolean({ description: 'Everything.' })),
      text: Type.String(),
    },
  });

  test('are required in a path, and in a query where the declaration says so', () => {
    const required = onlyOperation(declared).parameters!.map((parameter) => [
      parameter.name,
      parameter.in,
      parameter.required,
    ]);
    expect(required).toEqual([
      ['agentID', 'path', true],
      ['all', 'query', false],
      ['text', 'query', true],
    ]);
  });

  test('are described by their schema, or by the record they name', () => {
    const [agentID, all] = onlyOperation(declared).parameters!;
    expect(agentID).toMatchObject({ description: 'The key of the agent.', example: 7, schema: { type: 'integer' } });
    expect(all).toMatchObject({ description: 'Everything.' });
  });
});

describe('bodies', () => {
  const optional = operation('device', {
    ...written,
    method: 'POST',
    body: Type.Object({}),
    bodyOptional: true,
  });

  test('are JSON under each of its content types', () => {
    const { requestBody } = onlyOperation(put(Type.Object({})));
    expect(Object.keys(requestBody!.content)).toEqual(['application/json', 'text/json', 'application/*+json']);
  });

  test('are required unless declared optional', () => {
    expect(onlyOperation(put(Type.Object({}))).requestBody!.required).toBe(true);
    expect(onlyOperation(optional).requestBody!.required).toBe(false);
    expect(onlyOperation(get('caller')).requestBody).toBeUndefined();
  });
});

describe('answers', () => {
  const withText = operation('agent', {
    method: 'POST',
    path: '/v1/agent',
    summary: 'Register',
    access: 'agent',
    writeOnlyKeys: 'allowed',
    acts: [],
    body: Type.Object({}),
    answer: Type.Object({}, { title: 'Agent' }),
    media: ['application/json', 'text/plain'],
    textErrors: true,
    trail: readsOnly,
  });

  test('have the schema under every content type on offer', () => {
    const { content } = onlyOperation(withText).responses['200'] as ResponseObject;
    const schema = { $ref: '#/components/schemas/Agent' };
    expect(content).toEqual({ 'application/json': { schema }, 'text/plain': { schema } });
  });

  test('without a declared answer have no content', () => {
    expect(onlyOperation(get('caller')).responses['200']).not.toHaveProperty('content');
  });

  test('carry the id of the request, errors included', () => {
    const all = [
      ...Object.values(document.components.responses),
      ...Object.values(document.paths).flatMap((methods) =>
        Object.values(methods).map(({ responses }) => Object.values(responses)[0] as ResponseObject),
      ),
      onlyOperation(withText).responses['400'] as ResponseObject,
    ];
    for (const { headers } of all) expect(headers).toHaveProperty('X-Request-Id');
  });

  test('list the declared errors, each a shared problem', () => {
    const { responses } = onlyOperation(get('session'));
    const expected = get('session').errors.map(String);
    expect(Object.keys(responses)).toEqual(['200', ...expected]);
    expect(responses['401']).toEqual({ $ref: '#/components/responses/Unauthorized' });
    expect(document.components.responses['Unauthorized']!.content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
    });
  });

  test('say how to go on after 401, 429 and 503', () => {
    const { Unauthorized, TooManyRequests, ServiceUnavailable, NotFound } = document.components.responses;
    expect(Unauthorized!.headers).toHaveProperty('WWW-Authenticate');
    expect(TooManyRequests!.headers).toHaveProperty('Retry-After');
    expect(ServiceUnavailable!.headers).toHaveProperty('Retry-After');
    expect(NotFound!.headers).not.toHaveProperty('Retry-After');
  });

  test('of 400 are strings where the declaration says so', () => {
    const { content } = onlyOperation(withText).responses['400'] as ResponseObject;
    expect(Object.keys(content!)).toEqual(['application/json', 'text/plain']);
    for (const { schema } of Object.values(content!)) expect(schema.type).toBe('string');
  });
});

describe('access', () => {
  const named = (access: Access) => onlyOperation(get(access)).security.map((scheme) => Object.keys(scheme)[0]);

  test.each([
    ['anyone', []],
    ['session', ['session']],
    ['admin', ['session']],
    ['caller', ['basic', 'signed', 'session']],
    ['agent', ['basic', 'signed', 'session']],
  ] as const)('%s asks for %j', (access, schemes) => {
    expect(named(access)).toEqual(schemes);
    expect(onlyOperation(get(access))['x-access']).toBe(access);
  });

  test('is put in words', () => {
    expect(onlyOperation(get('admin')).description).toContain("admin's web session");
    expect(onlyOperation(get('agent')).description).toContain('A device key may call this');
    expect(onlyOperation(get('caller')).description).not.toContain('device key may');
    expect(onlyOperation(longPollEvents).description).not.toContain('write-only');
    expect(onlyOperation(getAudioClip).description).toContain('that is write-only may not');
    expect(onlyOperation(patchAudioClip).description).toContain('that is write-only may only set fields');
  });

  test('uses schemes that are described', () => {
    expect(document.components.securitySchemes).toMatchObject({
      basic: { type: 'http', scheme: 'basic' },
      signed: { type: 'apiKey', in: 'header', name: 'X-Signature' },
      session: { type: 'apiKey', in: 'cookie', name: 'earshot_session' },
    });
  });
});
