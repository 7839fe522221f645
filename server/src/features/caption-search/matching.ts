import { mostCounted, mostRanked } from '@earshot/contract/caption-search';
import type { Scope } from './scope.ts';

export type SearchOrder = 'asc' | 'desc' | 'relevance';

/** Which of the matches are shown. */
export interface Slice {
  readonly order: SearchOrder;
  readonly offset: number;
  readonly limit: number;
}

export interface Limits {
  readonly mostCounted: number;
  readonly mostRanked: number;
  /** Captions that a first walk looks at: of all together, or of some devices, which lie far apart. */
  readonly firstLook: { readonly one: number; readonly devices: number; readonly tags: number };
  readonly longestWalk: number;
}

export const usualLimits: Limits = {
  mostCounted,
  mostRanked,
  firstLook: { one: 2_000, devices: 6_000, tags: 6_000 },
  longestWalk: 40_000,
};

/** What is looked for, where, and what of it is shown. */
export interface Search {
  readonly phrases: readonly string[];
  readonly scope: Scope;
  readonly slice: Slice;
  readonly limits: Limits;
}

/** How many of the first matches in time must be known to show the slice. */
export const needed = ({ slice: { order, offset, limit }, limits }: Search): number =>
  Math.max(offset + limit, order === 'relevance' ? limits.mostRanked : 0);
