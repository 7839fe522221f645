/**
 * - `forbidden`: the call was not tried and would be refused again
 * - `failed`: the host could not be reached, or the connection broke
 * - `late`: the call exceeded its time limit
 * - `stopped`: the caller aborted the call
 */
export type OutboundFault = 'forbidden' | 'failed' | 'late' | 'stopped';

/**
 * Why a call failed. The message is for the person who gave the URL, and reveals nothing about the server's network.
 */
export class OutboundError extends Error {
  readonly fault: OutboundFault;
  constructor(fault: OutboundFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

export const forbiddenCall = (message: string): OutboundError => new OutboundError('forbidden', message);

const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host name was not found',
  EAI_AGAIN: 'the host name could not be resolved; the DNS lookup failed',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  ETIMEDOUT: 'the connection timed out',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the host',
};

/** Describes the failure in words, because network errors contain addresses that must not be disclosed. */
export function explainFailure(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
  // If several addresses were tried: the refusal of one of them by the address rule, else the first error.
  const refused = [cause, ...(errors ?? [])].find((inner) => inner instanceof OutboundError);
  if (refused) return refused;
  const code = codeOf(error) ?? codeOf(errors?.[0]) ?? 'unknown';
  const reason = reasons[code] ?? (isCertificateFault(code) ? 'its certificate cannot be trusted' : undefined);
  return new OutboundError('failed', reason ?? `it could not be reached (${code})`, { cause: error });
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

const isCertificateFault = (code: string): boolean => /CERT|SIGNATURE|ALTNAME/.test(code);
