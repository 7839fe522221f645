import type { FieldError } from '@earshot/contract/validation';

/** Every kind of refusal. Only this table knows the status of each. */
export const refusals = {
  invalid: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Credentials are missing or wrong' },
  forbidden: { status: 403, title: 'Not permitted' },
  notFound: { status: 404, title: 'Not found' },
  methodNotAllowed: { status: 405, title: 'The method is not supported' },
  notAcceptable: { status: 406, title: 'No acceptable content type' },
  timedOut: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  gone: { status: 410, title: 'Gone' },
  preconditionFailed: { status: 412, title: 'The version has changed' },
  unknownProtocol: { status: 412, title: 'The protocol version is not supported' },
  tooLarge: { status: 413, title: 'The request is too large' },
  unsupportedType: { status: 415, title: 'The content type is not supported' },
  rangeNotSatisfiable: { status: 416, title: 'The range is outside of the content' },
  sessionExpired: { status: 419, title: 'The web session has expired' },
  tooMany: { status: 429, title: 'Too many requests' },
  headersTooLarge: { status: 431, title: 'The request headers are too large' },
  checksumMismatch: { status: 460, title: 'The checksum does not match' },
  fault: { status: 500, title: 'Internal error' },
  notImplemented: { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Temporarily unavailable' },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalCode = keyof typeof refusals;

interface RefusalOptions {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The only error whose message is sent to the caller. Any other error is a bug and becomes an opaque 500. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, detail: string, options: RefusalOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return refusals[this.code].status;
  }
}

export const invalid = (errors: readonly FieldError[]): Refusal =>
  new Refusal('invalid', errors.map(({ path, message }) => `${path || 'the body'} ${message}`).join('; '), {
    errors,
  });

export const invalidField = (path: string, message: string): Refusal => invalid([{ path, message }]);

export const notFound = (noun: string, name: number | string): Refusal =>
  new Refusal('notFound', `There is no ${noun} ${name}, or you may not see it.`);

export const forbidden = (detail: string): Refusal => new Refusal('forbidden', detail);

export const conflict = (detail: string): Refusal => new Refusal('conflict', detail);
