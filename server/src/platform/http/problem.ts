import type { Problem } from '@earshot/contract/problem';
import { problemMedia } from '@earshot/contract/problem';
import { Refusal, refusals } from '../../errors.ts';
import { isCollision } from '../database/collision.ts';
import { isWriteFault } from '../database/write-probe.ts';
import { StorageUnavailable, StoredFileMissing } from '../storage/storage-error.ts';

/** Written on every answer; pages replace the content security policy by their own. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

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

/** What a person may safely be told of a target: its path, for a query may hold a signature. */
export function pathOf(url: string | undefined): string {
  const [path = '/'] = (url ?? '/').split('?', 1);
  return path.length > 2_000 ? `${path.slice(0, 2_000)}…` : path;
}

const unavailableCodes = new Set([
  // postgres.js
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
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

/** A full disk is not emptied within seconds. */
const fullRetrySeconds = 30;

const unavailable = (cause: unknown, retrySeconds: number, detail: string): Refusal =>
  new Refusal('unavailable', detail, { cause, headers: { 'retry-after': String(retrySeconds) } });

/** Turns whatever was thrown into what the caller is told. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const stored = storageRefusal(error);
  if (stored) return stored;
  const { code, statusCode, severity } = (error ?? {}) as { code?: unknown; statusCode?: unknown; severity?: unknown };
  if (typeof code === 'string') {
    const away = databaseUnavailable(error, code, severity);
    if (away) return away;
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('tooLarge', 'The body is larger than this takes.');
  }
  const known = databaseRefusal(code, error);
  if (known) return known;
  if (statusCode === 400) return new Refusal('invalid', 'The request is malformed.', { cause: error });
  return new Refusal('fault', 'This is a fault of the server. Quote the X-Request-Id when you report it.', {
    cause: error,
  });
}

function databaseUnavailable(error: unknown, code: string, severity: unknown): Refusal | undefined {
  if (isCollision(error)) {
    const detail = 'Two requests changed the same records at once, and this one was undone; send it again.';
    return unavailable(error, 1, detail);
  }
  if (code === diskFull) {
    const detail = "The database's disk is full: nothing can be changed until the operator makes space.";
    return unavailable(error, fullRetrySeconds, detail);
  }
  if (isWriteFault(error))
    return unavailable(error, 5, 'The database accepts no changes at the moment; try again soon.');
  if (code === tooManyConnections) {
    return unavailable(error, 5, 'The database permits no further connection at the moment; try again soon.');
  }
  // PostgreSQL calls an error fatal when it ends the connection, or does not let one begin.
  if (unavailableCodes.has(code) || severity === 'FATAL')
    return unavailable(error, 1, 'The database does not answer just now; try again shortly.');
  return undefined;
}

export const isOfStorage = (cause: unknown): boolean =>
  cause instanceof StorageUnavailable || cause instanceof StoredFileMissing;

/** What is wrong with the store is the operator's to mend, and in the log; the caller learns what it means for them. */
function storageRefusal(cause: unknown): Refusal | undefined {
  if (cause instanceof StorageUnavailable && cause.isFull) {
    const detail = 'The storage is full: no file can be stored until the operator makes space.';
    return unavailable(cause, fullRetrySeconds, detail);
  }
  if (cause instanceof StorageUnavailable) {
    return unavailable(cause, 5, 'Files cannot be stored or read just now; try again shortly.');
  }
  if (cause instanceof StoredFileMissing) {
    return new Refusal('conflict', 'The bytes of this file are no longer in the store.', { cause });
  }
  return undefined;
}

/** The last net for what a rule should have caught: still the caller's to mend, so never a 500. */
function databaseRefusal(code: unknown, cause: unknown): Refusal | undefined {
  if (code === '23503') return new Refusal('conflict', 'A record that this refers to was just removed.', { cause });
  // PostgreSQL 18 and later; before, it is 23503 too.
  if (code === '23001') return new Refusal('conflict', 'Another record was just made that refers to this.', { cause });
  if (code === '23505') return new Refusal('conflict', 'Such a record exists already.', { cause });
  return undefined;
}
