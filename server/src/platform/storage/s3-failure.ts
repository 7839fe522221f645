import { StorageUnavailable } from './storage-error.ts';

/** What a store answered, or why it did not. */
export class S3Failure extends StorageUnavailable {
  /** 0 when there was no answer. */
  readonly status: number;
  /** The store's own word for it; empty when it gave none. */
  readonly code: string;
  constructor(message: string, status: number, code: string, options?: ErrorOptions) {
    super(message, { ...options, isFull: status === 507 || fullCode.test(code) });
    this.status = status;
    this.code = code;
  }

  /** Whether the same call may succeed in a moment. */
  get isPassing(): boolean {
    if (this.isFull) return false;
    return this.status === 0 || this.status === 429 || this.status >= 500 || passingCodes.has(this.code);
  }
}

/** Such as QuotaExceeded, XMinioStorageFull, XMinioAdminBucketQuotaExceeded, InsufficientStorage. */
const fullCode = /quota|storagefull|insufficient(storage|capacity)/i;

/** Some stores say these with a status that does not tell, or within an answer that began as a success. */
const passingCodes = new Set(['InternalError', 'SlowDown', 'ServiceUnavailable', 'RequestTimeout', 'OperationAborted']);

const meanings: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: 'refuses the credentials: the secret key is wrong',
  InvalidAccessKeyId: 'refuses the credentials: it does not know the access key',
  AccessDenied: 'refuses the credentials: they do not permit this',
  RequestTimeTooSkewed: 'refuses the time: the clocks of this machine and the store differ too much',
  AuthorizationHeaderMalformed: 'refuses the signature: the region in the URL is probably not that of the bucket',
  PermanentRedirect: 'has the bucket elsewhere: endpoint or region in the URL are not those of the bucket',
  TemporaryRedirect: 'has the bucket elsewhere: endpoint or region in the URL are not those of the bucket',
  NoSuchBucket: 'has no such bucket',
  EntityTooLarge: 'takes no object of this size',
  SlowDown: 'asks for fewer requests',
};

/** What the store's answer means, for the operator. The store's own message is left out: some repeat what was signed. */
export function explainAnswer(store: string, status: number, code: string): S3Failure {
  const isCredentials = status === 401 || status === 403;
  const meaning =
    meanings[code] ??
    (fullCode.test(code) || status === 507
      ? `is full${/quota/i.test(code) ? ': the quota is used up' : ''}`
      : undefined) ??
    (isCredentials ? 'refuses the credentials' : status === 301 ? meanings['PermanentRedirect'] : undefined) ??
    `answered ${status}`;
  const detail = code === '' ? '' : ` (${code})`;
  return new S3Failure(`the object store ${store} ${meaning}${detail}`, status, code);
}

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host name was not found',
  EAI_AGAIN: 'its host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  EPIPE: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  UND_ERR_BODY_TIMEOUT: 'its answer did not come in time',
  ETIMEDOUT: 'the connection was not made in time',
  EHOSTUNREACH: 'there is no way to its host',
  ENETUNREACH: 'there is no way to its host',
};

export function explainSilence(store: string, error: unknown): S3Failure {
  const { code, errors, name } = error as NodeJS.ErrnoException & { errors?: readonly NodeJS.ErrnoException[] };
  const word = code ?? errors?.[0]?.code ?? name;
  const reason = reasons[word] ?? (/CERT|SIGNATURE|ALTNAME/.test(word) ? 'its certificate cannot be trusted' : word);
  return new S3Failure(`the object store ${store} cannot be reached: ${reason}`, 0, '', { cause: error });
}
