import type { ErrorText } from './error-texts.ts';
import { errorTexts } from './error-texts.ts';
import type { ContentMap, HeaderObject, Reference, ResponseObject } from './openapi-document.ts';
import type { SchemaCollection } from './openapi-schemas.ts';
import { compare } from './openapi-schemas.ts';
import type { Gateway } from './gateway-protocol.ts';
import type { ErrorStatus, Operation } from './operation.ts';
import { platformHeader } from './platform-mark.ts';
import { Problem, problemMedia } from './problem.ts';

export interface ResponseCollection {
  /** The answers of one operation, by status. */
  of(operation: Operation): Record<string, ResponseObject | Reference>;
  /** The error answers that were referred to, by name. */
  named(): Record<string, ResponseObject>;
}

export const headers: Readonly<Record<string, HeaderObject>> = {
  RequestId: {
    description: 'Identifies the request in the log of the server.',
    schema: { type: 'string', examples: ['0198f2b6c1a0'] },
  },
  EarshotServer: {
    description: 'The version of the server. A response without this header was not sent by this service.',
    schema: { type: 'string', examples: ['1.0.0'] },
  },
  AcceptRanges: {
    description: 'Parts can be asked for with `Range`.',
    schema: { type: 'string', examples: ['bytes'] },
  },
  ContentRange: {
    description: 'The range of bytes in this response, and the total.',
    schema: { type: 'string', examples: ['bytes 0-499/1000'] },
  },
  ETag: {
    description: 'Names these very bytes, for `If-None-Match`, `If-Match` and `If-Range`.',
    schema: { type: 'string', examples: ['"e3b0c44298fc1c14"'] },
  },
  RetryAfter: {
    description: 'How many seconds to wait before a retry.',
    schema: { type: 'integer', format: 'int64', minimum: 0, examples: [1] },
  },
  WwwAuthenticate: {
    description: 'The kinds of credentials that are accepted.',
    schema: { type: 'string', examples: ['Basic realm="earshot", charset="UTF-8", HMAC-SHA256 realm="earshot"'] },
  },
};

const namedProblem = { ...Problem, title: 'Problem' };

const header = (name: string): Reference => ({ $ref: `#/components/headers/${name}` });
const onEveryAnswer = { 'X-Request-Id': header('RequestId'), [platformHeader]: header('EarshotServer') };
const retryLater = { ...onEveryAnswer, 'Retry-After': header('RetryAfter') };

const errorHeaders: Readonly<Partial<Record<ErrorStatus, Record<string, Reference>>>> = {
  401: { ...onEveryAnswer, 'WWW-Authenticate': header('WwwAuthenticate') },
  416: { ...onEveryAnswer, 'Content-Range': header('ContentRange') },
  429: retryLater,
  503: retryLater,
};

export function collectResponses(schemas: SchemaCollection): ResponseCollection {
  const errors = new Map<string, ResponseObject>();

  function refer(status: ErrorStatus): Reference {
    const { phrase, explanation }: ErrorText = errorTexts[status];
    const name = phrase.replaceAll(' ', '');
    errors.set(name, {
      description: explanation,
      headers: errorHeaders[status] ?? onEveryAnswer,
      content: { [problemMedia]: { schema: schemas.use(namedProblem) } },
    });
    return { $ref: `#/components/responses/${name}` };
  }

  return {
    of: (operation) =>
      operation.gateway
        ? gatewayAnswers(operation.gateway)
        : {
            ...(operation.bytes === 'sent'
              ? sentBytes
              : { [operation.success?.status ?? 200]: success(operation, schemas) }),
            ...Object.fromEntries(
              operation.errors.map((status) => [
                status,
                status === 400 && operation.textErrors ? textError(operation) : refer(status),
              ]),
            ),
          },
    named: () => Object.fromEntries([...errors].toSorted(([a], [b]) => compare(a, b))),
  };
}

const gatewayAnswers = ({ answers, answerType }: Gateway): Readonly<Record<string, ResponseObject>> =>
  Object.fromEntries(
    Object.entries(answers as Record<string, string>).map(([status, description]) => [
      status,
      {
        description,
        headers: errorHeaders[Number(status) as ErrorStatus] ?? onEveryAnswer,
        content: { [answerType]: { schema: answerType === 'text/plain' ? { type: 'string' } : {} } },
      },
    ]),
  );

const bytes = { type: 'string', format: 'binary' } as const;
export const byteContent: ContentMap = { 'application/octet-stream': { schema: bytes }, 'audio/*': { schema: bytes } };
export const contentOfType = (type: string): ContentMap => ({ [type]: { schema: bytes } });
const sentContent: ContentMap = { ...byteContent, 'text/plain': { schema: bytes } };
const contentHeaders = { ...onEveryAnswer, ETag: header('ETag'), 'Accept-Ranges': header('AcceptRanges') };

const sentBytes: Readonly<Record<string, ResponseObject>> = {
  200: { description: 'The whole content.', headers: contentHeaders, content: sentContent },
  206: {
    description: 'The part that `Range` requests.',
    headers: { ...contentHeaders, 'Content-Range': header('ContentRange') },
    content: sentContent,
  },
  304: { description: 'The content has not changed.', headers: contentHeaders },
};

function success(operation: Operation, schemas: SchemaCollection): ResponseObject {
  if (!operation.answer) {
    const description = operation.success?.text ?? 'Success; the response has no body.';
    return { description, headers: { ...onEveryAnswer, ...answerHeaders(operation) } };
  }
  const schema = schemas.use(operation.answer);
  return {
    description:
      operation.media.length > 1
        ? 'Success. `Accept` selects the content type; the text is the same JSON for each.'
        : 'Done.',
    headers: onEveryAnswer,
    content: contentOf(operation.media, { schema }),
    ...(operation.answerOptional ? { 'x-may-be-empty': true as const } : {}),
  };
}

const answerHeaders = (operation: Operation): Readonly<Record<string, HeaderObject>> =>
  Object.fromEntries(
    Object.entries(operation.answerHeaders).map(([name, description]) => [
      name,
      { description, schema: { type: 'string' } },
    ]),
  );

function textError(operation: Operation): ResponseObject {
  return {
    description:
      'The request is malformed or a value is invalid. The response is a string that names it: ' +
      'a JSON string, or the bare text under `text/plain`.',
    headers: onEveryAnswer,
    content: contentOf(operation.media, {
      schema: { type: 'string', examples: ['There is no device with the serial recorder-17.'] },
    }),
  };
}

function contentOf(types: readonly string[], media: ContentMap[string]): ContentMap {
  return Object.fromEntries(types.map((type) => [type, media]));
}
