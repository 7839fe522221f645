import type { Problem } from '@earshot/contract/problem';
import { problemMedia } from '@earshot/contract/problem';
import { platformHeader } from '@earshot/contract/platform-mark';
import { Refusal, refusals } from '../../../errors.ts';
import { isCollision } from '../../database/collision.ts';
import { ConnectionError } from '../../database/connection-error.ts';
import { isWriteFault } from '../../database/write-probe.ts';
import { StorageUnavailable, StoredFileMissing } from '../../storage/storage-error.ts';

/** Sent with every response of a server of this version; pages replace the content security policy by their own. */
export const commonHeaders = (version: string): Readonly<Record<string, string>> => ({
  [platformHeader.toLowerCase()]: version,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
});

export const problemType = `${problemMedia}; charset=utf-8`;

export function problemOf(refusal: Refusal, path: string): Problem {
  const { status, title } = refusals[refusal.code];
  return {
    type: `/api#error-${status}`,
    title,
    status,
    detail: refusal.message,
    instance: path,
    ...(refusal.errors ? { errors: [...refusal.errors] } : {}),
  };
}

/** The path of a request target, for logs and messages: the query is left out because it may contain a signature. */
export function pathOf(url: string | undefined): string {
  const [path = '/'] = (url ?? '/').split('?', 1);
  return path.length > 2_000 ? `${path.slice(0, 2_000)}…` : path;
}

const unavailableCodes = new Set<string>([
  // the operating system
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  // PostgreSQL: shutting down, starting up, out of memory, statement or lock timeout
  '57P01',
  '57P02',
  '57P03',
  '53200',
  '57014',
  '55P03',
]);

const diskFull = '53100';
const tooManyConnections = '53300';

/** A full disk is not freed within seconds. */
const fullRetrySeconds = 30;

const unavailable = (cause: unknown, retrySeconds: number, detail: string): Refusal =>
  new Refusal('unavailable', detail, { cause, headers: { 'retry-after': String(retrySeconds) } });

/** Converts any thrown value to the refusal that the caller receives. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const stored = storageRefusal(error);
  if (stored) return stored;
  const { code, statusCode, severity } = (error ?? {}) as { code?: unknown; statusCode?: unknown; severity?: unknown };
  if (typeof code === 'string') {
    const away = databaseUnavailable(error, code, severity);
    if (away) return away;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
      return new Refusal('tooLarge', 'The body is larger than this operation accepts.');
  }
  const known = databaseRefusal(code, error);
  if (known) return known;
  if (statusCode === 400) return new Refusal('invalid', 'The request is malformed.', { cause: error });
  return new Refusal('fault', 'An internal error occurred. Include the X-Request-Id when you report it.', {
    cause: error,
  });
}

function databaseUnavailable(error: unknown, code: string, severity: unknown): Refusal | undefined {
  if (isCollision(error)) {
    const detail =
      'Another request changed the same records at the same time, and this one was rolled back; send it again.';
    return unavailable(error, 1, detail);
  }
  if (code === diskFull) {
    const detail = "The database's disk is full: nothing can be changed until the operator makes space.";
    return unavailable(error, fullRetrySeconds, detail);
  }
  if (isWriteFault(error))
    return unavailable(error, 5, 'The database accepts no changes at present; retry in a few seconds.');
  if (code === tooManyConnections) {
    return unavailable(error, 5, 'The database accepts no further connections at present; retry in a few seconds.');
  }
  // PostgreSQL reports severity FATAL when it closes a connection or refuses a new one.
  if (error instanceof ConnectionError || unavailableCodes.has(code) || severity === 'FATAL')
    return unavailable(error, 1, 'The database is not available at present; retry in a few seconds.');
  return undefined;
}

export const isOfStorage = (cause: unknown): boolean =>
  cause instanceof StorageUnavailable || cause instanceof StoredFileMissing;

/** The log tells the operator the cause of a storage failure; the caller learns only its effect. */
function storageRefusal(cause: unknown): Refusal | undefined {
  if (cause instanceof StorageUnavailable && cause.isFull) {
    const detail = 'The storage is full: no file can be stored until the operator makes space.';
    return unavailable(cause, fullRetrySeconds, detail);
  }
  if (cause instanceof StorageUnavailable) {
    return unavailable(cause, 5, 'Files cannot be stored or read at present; retry in a few seconds.');
  }
  if (cause instanceof StoredFileMissing) {
    return new Refusal('conflict', 'The bytes of this file are missing from the storage.', { cause });
  }
  return undefined;
}

/** Constraint violations that a rule did not check first; answered as a conflict, never as a 500. */
function databaseRefusal(code: unknown, cause: unknown): Refusal | undefined {
  if (code === '23503')
    return new Refusal('conflict', 'A record that the request refers to was deleted at the same time.', { cause });
  // PostgreSQL 18 and later; earlier versions report 23503.
  if (code === '23001')
    return new Refusal('conflict', 'A record that refers to this one was created at the same time.', { cause });
  if (code === '23505') return new Refusal('conflict', 'A record with these values already exists.', { cause });
  return undefined;
}
