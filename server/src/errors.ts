import type { FieldError } from '@earshot/contract/validation';

/** Every way in which a request is refused, and the only place that knows its status. */
export const refusals = {
  invalid: { status: 400, title: 'The request is not valid' },
  unauthenticated: { status: 401, title: 'Credentials are missing or wrong' },
  forbidden: { status: 403, title: 'Not permitted' },
  notFound: { status: 404, title: 'Not found' },
  methodNotAllowed: { status: 405, title: 'The method does not exist here' },
  notAcceptable: { status: 406, title: 'Not available in that content type' },
  timedOut: { status: 408, title: 'The request took too long to arrive' },
  conflict: { status: 409, title: 'In conflict with the present state' },
  preconditionFailed: { status: 412, title: 'Not the version that was named' },
  tooLarge: { status: 413, title: 'The request is too large' },
  unsupportedType: { status: 415, title: 'The content type cannot be read' },
  rangeNotSatisfiable: { status: 416, title: 'The range lies outside' },
  sessionExpired: { status: 419, title: 'The web session has expired' },
  tooMany: { status: 429, title: 'Too many requests' },
  headersTooLarge: { status: 431, title: 'The request headers are too large' },
  fault: { status: 500, title: 'Something went wrong on our side' },
  notImplemented: { status: 501, title: 'Not implemented' },
  unavailable: { status: 503, title: 'Not available just now' },
} as const satisfies Record<string, { status: number; title: string }>;

export type RefusalCode = keyof typeof refusals;

interface RefusalOptions {
  readonly errors?: readonly FieldError[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** The one error a caller is told about. Anything else thrown is a bug, and answered as an opaque 500. */
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
