import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 random bits, safe in a URL, a header and a shell. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** Tokens are long and random and cannot be guessed, so a plain hash is enough. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Compares in constant time. The length is compared first, because the length of a secret is not secret. */
export const sameSecret = (given: Buffer, expected: Buffer): boolean =>
  given.length === expected.length && timingSafeEqual(given, expected);
