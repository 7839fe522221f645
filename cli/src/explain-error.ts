import { ApiError } from '@earshot/client/api-error';
import type { ExitCode } from './failure.ts';
import { exitCodes, Failure } from './failure.ts';

interface Explained {
  readonly message: string;
  readonly exitCode: ExitCode;
}

/** An error in plain words, and its exit code. `url` is the server, if one is known. */
export function explainError(error: unknown, url: string | undefined): Explained {
  if (error instanceof Failure) return { message: error.message, exitCode: error.exitCode };
  if (error instanceof ApiError) return explainRefusal(error);
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return { message: explainNetwork(cause, url), exitCode: exitCodes.unreachable };
  }
  const code = (error as NodeJS.ErrnoException).code;
  const path = (error as NodeJS.ErrnoException).path;
  if (code !== undefined && path !== undefined && fileFaults[code]) {
    return { message: `${path}: ${fileFaults[code]}.`, exitCode: exitCodes.failed };
  }
  return { message: (error as Error)?.message ?? String(error), exitCode: exitCodes.failed };
}

function explainRefusal(error: ApiError): Explained {
  const { message } = error;
  if (error.status === 404) return { message, exitCode: exitCodes.notFound };
  if (error.status === 419) {
    return { message: 'Your session has expired. Run “earshot login”.', exitCode: exitCodes.notAllowed };
  }
  if (error.status === 401) {
    const hint =
      ' Run “earshot login”, or check EARSHOT_ACCESS_KEY and EARSHOT_SECRET_KEY; “earshot doctor” finds the cause.';
    return { message: message + hint, exitCode: exitCodes.notAllowed };
  }
  if (error.status === 403) return { message, exitCode: exitCodes.notAllowed };
  if (error.status >= 500) {
    const request = error.requestID === undefined ? '' : ` (request ${error.requestID})`;
    return { message: `The server failed: ${message}${request}`, exitCode: exitCodes.failed };
  }
  return { message, exitCode: exitCodes.failed };
}

const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'you may not read or write it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'it is not a folder',
  ENOSPC: 'no space is left',
};

const networkFaults: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing answers there. Is the server running, and is the port right?',
  ENOTFOUND: 'the name is not known. Check the address.',
  EAI_AGAIN: 'the name cannot be looked up now. Check the network.',
  ECONNRESET: 'the connection was closed. Try again.',
  UND_ERR_SOCKET: 'the connection was closed. Try again.',
  UND_ERR_CONNECT_TIMEOUT: 'the server does not answer. Check the address and the network.',
  ETIMEDOUT: 'the server does not answer. Check the address and the network.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed. Set NODE_EXTRA_CA_CERTS to the file of its CA.',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is of an unknown CA. Set NODE_EXTRA_CA_CERTS to the file of that CA.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified: the server does not send the whole chain.',
  CERT_HAS_EXPIRED: 'its certificate has expired. Renew it on the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name.',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS. Use http:// instead of https://.',
  EPROTO: 'it does not speak TLS. Use http:// instead of https://.',
};

export function explainNetwork(
  cause: { code?: string; message?: string } | undefined,
  url: string | undefined,
): string {
  const fault = networkFaults[cause?.code ?? ''] ?? `${cause?.message ?? 'the request failed'}.`;
  return `Cannot reach ${url ?? 'the server'}: ${fault}`;
}
