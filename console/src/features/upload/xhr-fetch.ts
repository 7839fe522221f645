import { forgetSession } from '../../lib/session.ts';

/**
 * Sends like `fetch`, and reports how many bytes of the body were sent, which `fetch` cannot. For requests with a
 * `Blob` or no body, and short text responses.
 */
export const fetchWithProgress =
  (onSent: (bytes: number) => void): typeof fetch =>
  (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : input);
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded));
      request.addEventListener('load', () => resolve(responseOf(request)));
      request.addEventListener('error', () => reject(new TypeError('The server does not respond.')));
      request.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
      init.signal?.addEventListener('abort', () => request.abort());
      request.send(init.body as Blob | null);
    });

function responseOf(request: XMLHttpRequest): Response {
  const { status, responseText } = request;
  if (status === 401 || status === 419) forgetSession();
  const lines = request.getAllResponseHeaders().trim().split(/\r\n/);
  const headers = lines
    .filter((line) => line.includes(':'))
    .map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]);
  return new Response(status === 204 ? null : responseText, { status, headers });
}
