import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits from the system, safe in a URL, a header and a shell. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Tokens are random and long, so a plain hash keeps them: there is nothing to guess. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares without telling by its time how much was right; that all secrets have one length is no secret. */
export const sameSecret = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);
