import { StorageUnavailable } from './storage-error.ts';

/** An error response of the store, or the reason for a missing response. */
export class S3Failure extends StorageUnavailable {
  /** 0 if there was no response. */
  readonly status: number;
  /** The store's error code; empty if it gave none. */
  readonly code: string;
  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, { ...options, isFull: status === 507 || fullCode.test(code) });
    this.status = status;
    this.code = code;
  }

  /** Whether the same call may succeed when it is retried. */
  get isTransient(): boolean {
    if (this.isFull) return false;
    return this.status === 0 || this.status === 429 || this.status >= 500 || transientCodes.has(this.code);
  }
}

/** Such as QuotaExceeded, XMinioStorageFull, XMinioAdminBucketQuotaExceeded, InsufficientStorage. */
const fullCode = /quota|storagefull|insufficient(storage|capacity)/i;

/** Some stores send these with a misleading status, or in the body of a success. */
const transientCodes = new Set([
  'InternalError',
  'SlowDown',
  'ServiceUnavailable',
  'RequestTimeout',
  'OperationAborted',
]);

const meanings: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'refuses the credentials: the secret key is wrong',
  InvalidAccessKeyId: 'refuses the credentials: the access key is unknown',
  AccessDenied: 'refuses the credentials: they do not permit this operation',
  RequestTimeTooSkewed: 'refuses the request: the clocks of this machine and the store differ too much',
  AuthorizationHeaderMalformed: 'refuses the signature: the region in the URL is probably wrong',
  PermanentRedirect: 'has the bucket in another region: correct the endpoint or the region in the URL',
  TemporaryRedirect: 'has the bucket in another region: correct the endpoint or the region in the URL',
  NoSuchBucket: 'does not have this bucket',
  EntityTooLarge: 'does not accept an object of this size',
  SlowDown: 'limits the rate of requests',
};

/** Explains an error response to the operator. The store's message is left out, because some contain signed data. */
export function explainStoreAnswer(store: string, status: number, code: string): S3Failure {
  const isCredentials = status === 401 || status === 403;
  const meaning =
    meanings[code] ??
    (fullCode.test(code) || status === 507
      ? `is full${/quota/i.test(code) ? ': the quota is exceeded' : ''}`
      : undefined) ??
    (isCredentials ? 'refuses the credentials' : status === 301 ? meanings['PermanentRedirect'] : undefined) ??
    `answered ${status}`;
  const detail = code === '' ? '' : ` (${code})`;
  return new S3Failure(`the object store ${store} ${meaning}${detail}`, status, code);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be resolved',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_HEADERS_TIMEOUT: 'it did not respond in time',
  UND_ERR_BODY_TIMEOUT: 'the response did not arrive in time',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its host',
};

export function explainNoResponse(store: string, error: unknown): S3Failure {
  const { code, errors, name } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] };
  const word = code ?? errors?.[0]?.code ?? name;
  const reason = reasons[word] ?? (/CERT|SIGNATURE|ALTNAME/.test(word) ? 'its certificate cannot be trusted' : word);
  return new S3Failure(`the object store ${store} cannot be reached: ${reason}`, 0, '', { cause: error });
}
