/**
 * - `forbidden`: it was never tried, and would be refused again
 * - `failed`: it could not be reached, or broke off
 * - `late`: it took longer than it may
 * - `stopped`: the caller gave it up
 */
export type OutboundFault = 'forbidden' | 'failed' | 'late' | 'stopped';

/** Why a call got no answer. The message is for the person who gave the URL: it tells nothing of our own network. */
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
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was broken off',
  UND_ERR_SOCKET: 'the connection was broken off',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
  ETIMEDOUT: 'the connection was not made in time',
  EHOSTUNREACH: 'there is no way to the host',
  ENETUNREACH: 'there is no way to the host',
};

/** What went wrong on the way, in words: errors of the network name addresses, which are not for everyone. */
export function explainFailure(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  const { cause, errors } = error as { cause?: unknown; errors?: readonly unknown[] };
  // Several addresses tried: the rule's own word about one of them, else what the first of them said.
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
