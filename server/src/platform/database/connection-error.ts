/** Why a connection failed, if neither PostgreSQL nor the operating system gave a reason. */
type OwnCode =
  | 'CONNECTION_CLOSED'
  | 'CONNECTION_ENDED'
  | 'CONNECTION_DESTROYED'
  | 'CONNECTION_SILENT'
  | 'CONNECTION_BUSY'
  | 'CONNECTION_READ_ONLY'
  | 'CONNECT_TIMEOUT';

/** A connection could not be opened, was lost, or none became free. The code is one of these, or that of the operating system. */
export class ConnectionError extends Error {
  readonly code: string;

  constructor(code: OwnCode | (string & {}), message: string, cause?: unknown) {
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
