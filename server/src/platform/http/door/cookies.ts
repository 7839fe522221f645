import type { IncomingHttpHeaders } from 'node:http';

/** The first cookie of this name that has a value. */
export function findCookie({ cookie }: IncomingHttpHeaders, name: string): string | undefined {
  for (const pair of cookie?.split(';') ?? []) {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1).trim();
    if (equals >= 0 && value !== '' && pair.slice(0, equals).trim() === name) return value;
  }
  return undefined;
}

export interface CookieOptions {
  readonly path: string;
  readonly maxAgeSeconds: number;
  readonly secure: boolean;
}

/** SameSite and HttpOnly: not sent by other sites, not readable by scripts. */
export const cookieText = (name: string, value: string, { path, maxAgeSeconds, secure }: CookieOptions): string =>
  `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
