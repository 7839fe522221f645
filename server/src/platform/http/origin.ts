import type { IncomingHttpHeaders } from 'node:http';

/**
 * Whether a browser says that another site caused this request. Programs send neither header, and a
 * browser cannot be made to leave them out, so their absence is taken for a program.
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

/** A browser's own fetch must not be answered with Basic: it would put up its dialog over the console. */
export const isBrowserFetch = (headers: IncomingHttpHeaders): boolean =>
  headers['sec-fetch-mode'] !== undefined && headers['sec-fetch-mode'] !== 'navigate';
