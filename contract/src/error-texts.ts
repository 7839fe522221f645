export interface ErrorText {
  /** The phrase of the status line, which also names the answer in the OpenAPI document. */
  readonly phrase: string;
  /** What it means and what to do, in Markdown. */
  readonly explanation: string;
}

/** Every error status that the service can answer with, wherever it arises. */
export const errorTexts = {
  400: {
    phrase: 'Bad Request',
    explanation: 'The request is malformed or a value is invalid. `errors` names each field and what it must be.',
  },
  401: {
    phrase: 'Unauthorized',
    explanation: 'There are no credentials, or they are wrong, expired or used before.',
  },
  403: {
    phrase: 'Forbidden',
    explanation:
      'You may see the record but not do this to it, or this kind of credential may not, or a browser asked on behalf of another site.',
  },
  404: {
    phrase: 'Not Found',
    explanation: 'There is no such record, or it is not visible to you: the answer is the same.',
  },
  405: {
    phrase: 'Method Not Allowed',
    explanation: 'The path exists, the method does not. `Allow` lists those that do.',
  },
  406: {
    phrase: 'Not Acceptable',
    explanation: 'None of the content types in `Accept` is on offer here.',
  },
  408: {
    phrase: 'Request Timeout',
    explanation: 'The request took too long to arrive. Send it again.',
  },
  409: {
    phrase: 'Conflict',
    explanation: 'The request conflicts with the state of a record, such as a serial that another device has.',
  },
  412: {
    phrase: 'Precondition Failed',
    explanation: 'The record has changed since the version that the request names. Read it again.',
  },
  413: {
    phrase: 'Content Too Large',
    explanation: 'The body is larger than this operation takes.',
  },
  415: {
    phrase: 'Unsupported Media Type',
    explanation: 'The content type of the body is not one that this operation reads.',
  },
  416: {
    phrase: 'Range Not Satisfiable',
    explanation: 'The range lies outside the content. `Content-Range` says how long it is.',
  },
  419: {
    phrase: 'Session Expired',
    explanation: 'The web session has expired. Sign in again.',
  },
  429: {
    phrase: 'Too Many Requests',
    explanation: 'There were too many requests, or too many failed attempts. Wait for the seconds in `Retry-After`.',
  },
  431: {
    phrase: 'Request Header Fields Too Large',
    explanation: 'The headers of the request, cookies included, are too large.',
  },
  500: {
    phrase: 'Internal Server Error',
    explanation: 'The service failed: a bug. Report it with the `X-Request-Id` of the answer.',
  },
  501: {
    phrase: 'Not Implemented',
    explanation: 'The operation is part of the interface, but is not offered.',
  },
  503: {
    phrase: 'Service Unavailable',
    explanation:
      'The service is starting, stopping or without its database. Try again after the seconds in `Retry-After`.',
  },
} as const satisfies Readonly<Record<number, ErrorText>>;

export type KnownErrorStatus = keyof typeof errorTexts;
