import type { ClientOptions } from './client.ts';
import { credentialHeaders } from './credential.ts';

export interface Request {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'] | undefined;
  /** The body as a signature needs it; a signed body is never a stream. */
  readonly content?: string | Uint8Array | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The server, or somebody on the way to it, asked to send the request to another address. It was not sent there. */
export class RedirectRefused extends Error {
  override readonly name = 'RedirectRefused';
  readonly status: number;

  constructor(status: number, from: URL, to: URL) {
    super(
      `${from.host} redirects to ${to.origin} (status ${status}). Nothing was sent there; ` +
        'if this is the address of your server, use it instead.',
    );
    this.status = status;
  }
}

const mostRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request with its credential. A redirect is followed only within the same origin and without a body, because
 * another server must receive neither the credential nor the sound.
 */
export async function sendRequest(options: ClientOptions, request: Request): Promise<Response> {
  const { method, body = null, content = '', headers, signal = null } = request;
  const isRepeatable = method === 'GET' || method === 'HEAD';
  let { url } = request;
  for (let followed = 0; ; followed += 1) {
    const target = { method, path: url.pathname, query: [...url.searchParams], body: content };
    const credentials = await credentialHeaders(options.credential, target, options.now);
    const response = await (options.fetch ?? fetch)(url, {
      method,
      headers: { ...credentials, ...headers },
      body,
      signal,
      redirect: 'manual',
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
    const next = redirectOf(response, url);
    if (!next) return response;
    await response.body?.cancel().catch(() => {});
    if (!isRepeatable || next.origin !== url.origin || followed === mostRedirects)
      throw new RedirectRefused(response.status, url, next);
    url = next;
  }
}

function redirectOf(response: Response, from: URL): URL | undefined {
  // A browser does not tell where the redirect leads; for its caller, the server was not reached.
  if (response.type === 'opaqueredirect') throw new TypeError('The request was redirected, and not sent there.');
  const location = redirects.has(response.status) ? response.headers.get('location') : null;
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}
