import { mostCounted, mostRanked } from '@earshot/contract/caption-search';
import type { SearchTerm } from '@earshot/contract/words/public';
import type { Scope } from './scope-queries.ts';

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
  /** With more devices, or more tags of devices, captions are read in one lane. */
  readonly mostLanes: { readonly devices: number; readonly tags: number };
  /** A later walk that should read more captions of the devices is replaced by the index of grams. */
  readonly longestWalk: number;
}

export const usualLimits: Limits = {
  mostCounted,
  mostRanked,
  firstLook: { one: 2_000, devices: 6_000, tags: 6_000 },
  mostLanes: { devices: 100, tags: 5_000 },
  longestWalk: 40_000,
};

/** The terms, where to search, and which matches to return. */
export interface Search {
  readonly terms: readonly SearchTerm[];
  /** Other results, which are not found again: those that match these terms, and these clips. */
  readonly others?: {
    readonly terms: readonly SearchTerm[];
    /** The terms of this search with fewer variants. All that match them match the other terms too. */
    readonly unextended: readonly SearchTerm[];
    readonly keys: readonly number[];
  };
  readonly scope: Scope;
  readonly slice: Slice;
  readonly limits: Limits;
}

/** How many of the first matches in time order must be known to return the slice. */
export const needed = ({ slice: { order, offset, limit }, limits }: Search): number =>
  Math.max(offset + limit, order === 'relevance' ? limits.mostRanked : 0);
