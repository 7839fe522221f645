/** The codes of connections that failed for no reason that PostgreSQL or the operating system gave. */
export const connectionErrorCodes = [
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
] as const;

export class ConnectionError extends Error {
  readonly code: (typeof connectionErrorCodes)[number];

  constructor(code: ConnectionError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ConnectionError';
    this.code = code;
  }
}
