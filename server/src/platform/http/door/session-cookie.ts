import type { IncomingHttpHeaders } from 'node:http';
import { hostSessionCookie, sessionCookie } from '@earshot/contract/session';
import { findCookie } from './cookies.ts';

/** Whether people reach this server by https, as its operator says. */
export const hasHttpsAddress = (publicOrigin: string | undefined): publicOrigin is string =>
  publicOrigin?.startsWith('https:') ?? false;

/**
 * With an https address the name has a prefix for which browsers demand `Secure`, the path `/` and no domain: neither a
 * page over plain http nor a neighbouring host name can place such a cookie.
 */
export const sessionCookieName = (publicOrigin: string | undefined): string =>
  hasHttpsAddress(publicOrigin) ? hostSessionCookie : sessionCookie;

export const findSessionToken = (headers: IncomingHttpHeaders, publicOrigin: string | undefined): string | undefined =>
  findCookie(headers, sessionCookieName(publicOrigin));
