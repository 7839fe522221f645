/**
 * - `forbidden`: the call was not tried and would be refused again
 * - `unresolved`: the host name does not exist, or its address may not be called; the caller does not learn which
 * - `failed`: the host could not be reached, or the connection broke
 * - `late`: the call exceeded its time limit
 * - `stopped`: the caller aborted the call
 */
export type OutboundFault = 'forbidden' | 'unresolved' | 'failed' | 'late' | 'stopped';

/**
 * Why a call failed. The message is for the person who gave the URL, and reveals nothing about the server's network.
 */
export class OutboundError extends Error {
  readonly fault: OutboundFault;
  /** The exact cause, for the log and for admins. */
  readonly reason: string;
  constructor(fault: OutboundFault, message: string, options: ErrorOptions & { readonly reason?: string } = {}) {
    super(message, options);
    this.fault = fault;
    this.reason = options.reason ?? message;
  }
}

/** If callers learned which of the two it is, they could find out the names of the server's network. */
const unresolvedText = 'the host name does not exist, or its address is not public';
const unresolvedReasons = { unknown: 'the host name was not found', internal: 'its address is not public' };

export const unresolvedName = (why: keyof typeof unresolvedReasons, cause?: unknown): OutboundError =>
  new OutboundError('unresolved', unresolvedText, { reason: unresolvedReasons[why], cause });

/** A stored reason as callers may read it. */
export const hideReason = (reason: string): string =>
  Object.values(unresolvedReasons).includes(reason) ? unresolvedText : reason;

export const forbiddenCall = (message: string): OutboundError => new OutboundError('forbidden', message);

const reasons: Readonly<Record<string, string>> = {
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

export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

const isCertificateFault = (code: string): boolean => /CERT|SIGNATURE|ALTNAME/.test(code);
