import type { TObject, TSchema } from 'typebox';
import type { JsonSchema, OpenApiDocument, OperationObject, ParameterObject } from './openapi-document.ts';
import { documentMethods } from './openapi-document.ts';
import type { ResponseCollection } from './openapi-responses.ts';
import { byteContent, collectResponses, contentOfType, headers } from './openapi-responses.ts';
import type { SchemaCollection } from './openapi-schemas.ts';
import { collectSchemas, compare } from './openapi-schemas.ts';
import {
  accessTexts,
  writeOnlyTexts,
  basicText,
  documentDescription,
  gatewayText,
  recordNames,
  sessionText,
  signedText,
  tagTexts,
} from './openapi-texts.ts';
import type { Access, Operation } from './operation.ts';
import { repetitionTexts } from './repetition.ts';
import { sessionCookie } from './session.ts';

export interface OpenApiOptions {
  readonly version: string;
  /** By operationId. */
  readonly operations: readonly (readonly [string, Operation])[];
}

/**
 * Describes the operations in OpenAPI 3.1. The result does not depend on the order of the operations, except for the
 * tags.
 */
export function createOpenApiDocument({ version, operations }: OpenApiOptions): OpenApiDocument {
  const schemas = collectSchemas();
  const responses = collectResponses(schemas);
  const paths = describePaths(operations, schemas, responses);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Earshot',
      version,
      description: documentDescription,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The server that this document comes from.' }],
    tags: [...new Set(operations.map(([, { resource }]) => resource))].map(describeTag),
    paths,
    components: {
      schemas: schemas.named(),
      responses: responses.named(),
      headers,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic', description: basicText },
        signed: { type: 'apiKey', in: 'header', name: 'X-Signature', description: signedText },
        session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: sessionText },
      },
    },
  };
}

function describeTag(name: string): OpenApiDocument['tags'][number] {
  const description = tagTexts[name];
  if (description === undefined) throw new Error(`The resource ${name} is not described in openapi-texts.ts`);
  return { name, description };
}

function describePaths(
  operations: OpenApiOptions['operations'],
  schemas: SchemaCollection,
  responses: ResponseCollection,
): OpenApiDocument['paths'] {
  const paths = new Map<string, Map<string, OperationObject>>();
  const described = operations.toSorted(([, a], [, b]) => compare(a.path, b.path) || methodRank(a) - methodRank(b));
  for (const [name, operation] of described) {
    const methods = paths.get(operation.path) ?? new Map<string, OperationObject>();
    const method = operation.method.toLowerCase();
    if (methods.has(method)) throw new Error(`${operation.method} ${operation.path} is declared twice`);
    methods.set(method, describeOperation(name, operation, schemas, responses));
    paths.set(operation.path, methods);
  }
  return Object.fromEntries([...paths].map(([path, methods]) => [path, Object.fromEntries(methods)]));
}

const methodRank = ({ method }: Operation): number =>
  documentMethods.findIndex((name) => name === method.toLowerCase());

function describeOperation(
  name: string,
  operation: Operation,
  schemas: SchemaCollection,
  responses: ResponseCollection,
): OperationObject {
  const parameters = [
    ...describeParameters('path', operation.params, operation, schemas),
    ...describeParameters('query', operation.query, operation, schemas),
    ...describeParameters('header', operation.headers, operation, schemas),
  ];
  return {
    operationId: name,
    tags: [operation.resource],
    summary: operation.summary,
    description: [
      operation.description,
      operation.asPost ? asPostText(operation) : undefined,
      operation.gateway ? undefined : repetitionText(operation),
      operation.gateway ? gatewayText : accessText(operation),
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(operation.deprecated ? { deprecated: true } : {}),
    'x-access': operation.access,
    security: securityFor[operation.access],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: describeBody(operation, schemas.use(operation.body)) } : {}),
    ...(operation.bytes === 'received' ? { requestBody: describeBytes(operation, schemas) } : {}),
    responses: responses.of(operation),
  };
}

const accessText = ({ access, writeOnlyKeys = 'allowed' }: Operation): string =>
  `${accessTexts[access]} ${writeOnlyTexts[writeOnlyKeys]}`.trimEnd();

/** A second DELETE is refused because the record is gone, as one would expect. */
const repetitionText = ({ method, repetition }: Operation): string | undefined =>
  method === 'DELETE' || method === 'PATCH' ? undefined : repetitionTexts[repetition];

const asPostText = ({ method }: Operation): string =>
  `Where a network lets only GET and POST pass, send it as POST with \`X-HTTP-Method-Override: ${method}\`; everything else, ` +
  `the signature too, is as for ${method}.`;

function describeBytes({ gateway, bytesType, bytesOptional }: Operation, schemas: SchemaCollection) {
  if (gateway?.form) {
    const form = { schema: schemas.use(gateway.form) };
    const encoded = gateway.mayBeUrlEncoded ? { 'application/x-www-form-urlencoded': form } : {};
    return { required: true, content: { 'multipart/form-data': form, ...encoded } };
  }
  return { required: !bytesOptional, content: bytesType === undefined ? byteContent : contentOfType(bytesType) };
}

const withSession = [{ session: [] }] as const;
const withAnything = [{ basic: [] }, { signed: [] }, { session: [] }] as const;

const securityFor: Readonly<Record<Access, OperationObject['security']>> = {
  anyone: [],
  session: withSession,
  admin: withSession,
  caller: withAnything,
  agent: withAnything,
};

function describeParameters(
  place: ParameterObject['in'],
  values: TObject,
  operation: Operation,
  schemas: SchemaCollection,
): ParameterObject[] {
  const required = new Set<string>(values.required ?? []);
  return Object.entries(values.properties).map(([name, value]) =>
    describeParameter(name, place, place === 'path' || required.has(name), value, operation, schemas),
  );
}

function describeParameter(
  name: string,
  place: ParameterObject['in'],
  required: boolean,
  value: TSchema,
  operation: Operation,
  schemas: SchemaCollection,
): ParameterObject {
  const { description = describeKey(name, operation), examples } = value as JsonSchema;
  return {
    name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    schema: schemas.use(value),
    ...(examples?.length ? { example: examples[0] } : {}),
  };
}

/** The record kind of a key in the path, from the operation's acts. */
function describeKey(name: string, { acts }: Operation): string | undefined {
  const act = acts.find(({ by }) => by === `params.${name}`);
  return act && `The key of the ${recordNames[act.record]}.`;
}

const bodyMedia = ['application/json', 'text/json', 'application/*+json'];

function describeBody({ bodyOptional }: Operation, schema: JsonSchema): NonNullable<OperationObject['requestBody']> {
  return { required: !bodyOptional, content: Object.fromEntries(bodyMedia.map((type) => [type, { schema }])) };
}
