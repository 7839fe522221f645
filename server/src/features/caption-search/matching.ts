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
  /**
   * The number of captions that the first walk reads: all devices together, or per device or tag, whose rows are
   * scattered.
   */
  readonly firstLook: { readonly one: number; readonly devices: number; readonly tags: number };
  readonly longestWalk: number;
}

export const usualLimits: Limits = {
  mostCounted,
  mostRanked,
  firstLook: { one: 2_000, devices: 6_000, tags: 6_000 },
  longestWalk: 40_000,
};

/** The phrases, where to search, and which matches to return. */
export interface Search {
  readonly phrases: readonly string[];
  readonly scope: Scope;
  readonly slice: Slice;
  readonly limits: Limits;
}

/** How many of the first matches in time order must be known to return the slice. */
export const needed = ({ slice: { order, offset, limit }, limits }: Search): number =>
  Math.max(offset + limit, order === 'relevance' ? limits.mostRanked : 0);
