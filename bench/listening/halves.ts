import { createHash } from 'node:crypto';

export const halfNames = ['development', 'held-out'] as const;
export type HalfName = (typeof halfNames)[number];

/**
 * The half of the recordings to which a speaker belongs: by the first byte of the SHA-256 of the source, even or odd. All
 * recordings of a speaker are in one half. Engines may be tuned on the development half only.
 */
export const halfOf = (source: string): HalfName =>
  createHash('sha256').update(source).digest()[0]! % 2 === 0 ? 'development' : 'held-out';
