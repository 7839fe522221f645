import { mostSimilarHits } from '@earshot/contract/caption-search';
import type { Pool } from '../../platform/database/connect.ts';
import type { KnownTerms, SimilarTerms } from '../caption-index/public.ts';
import type { AcrossMatch } from './across-queries.ts';
import { matchAcross } from './across-queries.ts';
import { matchTerms, inSearch } from './match-terms.ts';
import type { Limits, Slice } from './matching.ts';
import type { Scope } from './scope-queries.ts';

/*
 * The results of a search, in this order:
 *
 *   exact      clips that match
 *   across     clips whose last words match together with the first words of the next clip
 *   similar    clips that match only by similar words
 *
 * Each group has the requested order. If there are more exact matches than are counted, there are no others.
 */

export interface SearchResults {
  readonly total: number;
  readonly isComplete: boolean;
  readonly similarTotal: number;
  /** The slice of each group. */
  readonly exact: readonly number[];
  readonly across: readonly AcrossMatch[];
  readonly similar: readonly number[];
  /** Set if there are similar words. */
  readonly similarTerms?: SimilarTerms;
}

export interface TieredSearch {
  readonly known: KnownTerms;
  /** The sequences of words that may continue in the next clip. */
  readonly sequences: readonly string[];
  readonly scope: Scope;
  readonly slice: Slice;
  readonly limits: Limits;
}

export const noResults: SearchResults = {
  total: 0,
  isComplete: true,
  similarTotal: 0,
  exact: [],
  across: [],
  similar: [],
};

export function matchTiers(db: Pool, { known, sequences, scope, slice, limits }: TieredSearch): Promise<SearchResults> {
  const { terms } = known;
  return inSearch(db, async (tx) => {
    const { total, isComplete, keys: exact } = await matchTerms(tx, { terms, scope, slice, limits });
    const found: SearchResults = { ...noResults, total, isComplete, exact };
    if (!isComplete) return found;
    const pairs = sequences.length > 0 ? await matchAcross(tx, { sequences, terms, scope, slice }) : [];
    const afterExact = sliceAfter(slice, total, exact.length);
    const across = pairs.slice(afterExact.offset, afterExact.offset + afterExact.limit);
    const similarTerms = known.addSimilarWords(total === 0 ? 'wide' : 'narrow');
    const sum = Math.min(total + pairs.length, limits.mostCounted);
    if (!similarTerms) return { ...found, total: sum, across };
    const rest = sliceAfter(afterExact, pairs.length, across.length);
    const similar = await matchTerms(tx, {
      terms: similarTerms.extended,
      others: { terms, unextended: similarTerms.terms, keys: pairs.map(({ key }) => key) },
      scope,
      slice: { ...rest, limit: Math.max(0, Math.min(rest.limit, mostSimilarHits - rest.offset)) },
      limits: { ...limits, mostCounted: Math.min(limits.mostCounted, mostSimilarHits) },
    });
    const similarTotal = Math.min(similar.total, limits.mostCounted - sum);
    return { ...found, total: sum + similarTotal, similarTotal, across, similar: similar.keys, similarTerms };
  });
}

/** The part of the slice behind a group of results. */
const sliceAfter = ({ order, offset, limit }: Slice, total: number, shown: number): Slice => ({
  order,
  offset: Math.max(0, offset - total),
  limit: limit - shown,
});
