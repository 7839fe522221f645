import type {
  CaptionHit,
  CaptionSearch,
  CaptionSearchFacets,
  CaptionSearchFacetsFilter,
  CaptionSearchResults,
} from '@earshot/contract/caption-search';
import { defaultLimit, mostCounted } from '@earshot/contract/caption-search';
import type { Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { countFacets } from './facet-queries.ts';
import type { Matches } from './find.ts';
import { findMatches } from './find.ts';
import { findHits } from './hit-queries.ts';
import type { SearchOrder, Slice } from './matching.ts';
import { usualLimits } from './matching.ts';
import { findScope } from './scope.ts';
import { showMatches } from './show.ts';
import { requirePhrases } from '../caption-index/public.ts';

interface Page {
  readonly order?: string;
  readonly offset?: number;
  readonly limit?: number;
}

const readSlice = ({ order, offset = 0, limit = defaultLimit }: Page): Slice => ({
  order: (order || 'desc').toLowerCase() as SearchOrder,
  offset,
  limit,
});

const nothing: Matches = { total: 0, isComplete: true, keys: [] };

export async function runSearch(
  db: Pool,
  caller: Caller,
  given: CaptionSearch,
  page: Page,
): Promise<CaptionSearchResults> {
  const phrases = requirePhrases(given.searchText);
  const slice = readSlice(page);
  const scope = await findScope(db, caller, given);
  const { total, keys } = scope ? await findMatches(db, { phrases, scope, slice, limits: usualLimits }) : nothing;
  const { offset, limit } = slice;
  const hits = keys.length > 0 ? await findHits(db, caller, keys) : [];
  const results = hits.map((hit): CaptionHit => ({ ...hit, ...showMatches(hit, phrases) }));
  return { total, offset, limit, results };
}

export async function searchFacets(
  db: Pool,
  caller: Caller,
  given: CaptionSearchFacetsFilter,
): Promise<CaptionSearchFacets> {
  const phrases = requirePhrases(given.searchText);
  const scope = await findScope(db, caller, given);
  const slice: Slice = { order: 'desc', offset: 0, limit: mostCounted };
  const { total, isComplete, keys } = scope
    ? await findMatches(db, { phrases, scope, slice, limits: usualLimits })
    : nothing;
  return { total, isComplete, ...(await countFacets(db, caller, keys, given.timeZone ?? 'UTC')) };
}
