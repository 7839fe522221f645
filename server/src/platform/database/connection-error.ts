/** The codes of connections that failed for no reason that PostgreSQL or the operating system gave. */
export const connectionErrorCodes = [
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
] as const;

/** A connection could not be opened, or was lost. The code is one of these, or that of the operating system. */
export class ConnectionError extends Error {
  readonly code: string;

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.code = code;
  }
}

/** Errors of PostgreSQL stay as they are; they have a severity. */
export function toConnectionError(error: Error): Error {
  if (error instanceof ConnectionError || 'severity' in error) return error;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return new ConnectionError(code, error.message, error);
  return error.message === 'timeout expired'
    ? new ConnectionError('CONNECT_TIMEOUT', 'the database did not answer in time', error)
    : new ConnectionError('CONNECTION_CLOSED', error.message, error);
}

const deepest = 5;

/** Whether the error, or one of its causes, is that a connection to the database was lost or not opened. */
export function isConnectionLoss(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; depth < deepest && cause instanceof Error; depth++) {
    // PostgreSQL reports this severity when it closes a connection or refuses a new one.
    const { severity } = cause as { severity?: unknown };
    if (cause instanceof ConnectionError || severity === 'FATAL' || severity === 'PANIC') return true;
    ({ cause } = cause);
  }
  return false;
}
