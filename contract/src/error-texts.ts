export interface ErrorText {
  /** The reason phrase of the status line, which also names the response in the OpenAPI document. */
  readonly phrase: string;
  /** The meaning and what to do, in Markdown. */
  readonly explanation: string;
}

/** Every error status of the service. */
export const errorTexts = {
  400: {
    phrase: 'Bad Request',
    explanation: 'The request is malformed or a value is invalid. `errors` names each field and what it must be.',
  },
  401: {
    phrase: 'Unauthorized',
    explanation: 'Credentials are missing, wrong, expired or already used.',
  },
  403: {
    phrase: 'Forbidden',
    explanation:
      'You may read the record but not do this, this kind of credential is not permitted, or the request came from another site in a browser.',
  },
  404: {
    phrase: 'Not Found',
    explanation: 'The record does not exist or is not visible to you; both have the same response.',
  },
  405: {
    phrase: 'Method Not Allowed',
    explanation: 'The path does not support this method. `Allow` lists the supported methods.',
  },
  406: {
    phrase: 'Not Acceptable',
    explanation: 'None of the content types in `Accept` is available.',
  },
  408: {
    phrase: 'Request Timeout',
    explanation: 'The request took too long to arrive. Send it again.',
  },
  409: {
    phrase: 'Conflict',
    explanation: 'The request conflicts with the state of a record, such as a serial that another device has.',
  },
  410: {
    phrase: 'Gone',
    explanation: 'The upload has expired or was ended, and its bytes were removed. Start a new one.',
  },
  412: {
    phrase: 'Precondition Failed',
    explanation:
      'The record has changed since the version that the request names: read it again. For an upload: `Tus-Resumable` ' +
      'must name the version in `Tus-Version`.',
  },
  413: {
    phrase: 'Content Too Large',
    explanation: 'The body is larger than this operation accepts.',
  },
  415: {
    phrase: 'Unsupported Media Type',
    explanation: 'This operation does not accept the content type of the body.',
  },
  416: {
    phrase: 'Range Not Satisfiable',
    explanation: 'The range is outside of the content. `Content-Range` contains its length.',
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
    explanation: 'The headers of the request, including cookies, are too large.',
  },
  460: {
    phrase: 'Checksum Mismatch',
    explanation: 'The bytes that arrived are not those of the checksum. They were discarded; send them again.',
  },
  500: {
    phrase: 'Internal Server Error',
    explanation: 'An internal error. Report it with the `X-Request-Id` of the response.',
  },
  501: {
    phrase: 'Not Implemented',
    explanation: 'The operation is part of the interface, but is not implemented.',
  },
  503: {
    phrase: 'Service Unavailable',
    explanation:
      'The service is starting, stopping or without its database. Try again after the seconds in `Retry-After`.',
  },
} as const satisfies Readonly<Record<number, ErrorText>>;
