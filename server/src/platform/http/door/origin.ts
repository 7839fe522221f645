import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether the browser's headers show that another site caused this request. Programs send neither header, and a page
 * cannot make a browser omit them, so a request without them is treated as a program's.
 */
export function namesAnotherOrigin(
  headers: IncomingHttpHeaders,
  ownHost: string | undefined,
  publicOrigin: string | undefined,
): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = headers;
  if (origin === undefined || origin === publicOrigin) return false;
  return hostOf(origin) !== ownHost;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/**
 * A fetch by a browser must not be answered with Basic: the browser would show its password dialog over the console.
 */
export const isBrowserFetch = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined && headers['sec-fetch-mode'] !== 'navigate';
