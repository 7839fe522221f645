import type {
  CaptionHit,
  CaptionSearch,
  CaptionSearchFacets,
  CaptionSearchFacetsFilter,
  CaptionSearchResults,
} from '@earshot/contract/caption-search';
import { defaultLimit, mostCounted } from '@earshot/contract/caption-search';
import { readSequences } from '@earshot/contract/words/public';
import type { Pool } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { KnownTerms } from '../caption-index/public.ts';
import { resolveTerms } from '../caption-index/public.ts';
import { listOtherForms } from '../vocabulary/public.ts';
import { countFacets } from './facet-queries.ts';
import { loadHits } from './hit-queries.ts';
import type { SearchOrder, Slice } from './matching.ts';
import { usualLimits } from './matching.ts';
import { resolveScope } from './scope-queries.ts';
import { explainSimilar, showMatches } from './show.ts';
import type { SearchResults } from './tiers.ts';
import { matchTiers, noResults } from './tiers.ts';

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

export async function runSearch(
  db: Pool,
  caller: Caller,
  given: CaptionSearch,
  page: Page,
): Promise<CaptionSearchResults> {
  const slice = readSlice(page);
  const { known, results } = await searchCaptions(db, caller, given, slice);
  const { total, similarTotal } = results;
  const { offset, limit } = slice;
  return {
    total,
    ...(similarTotal > 0 ? { similarTotal } : {}),
    offset,
    limit,
    results: await showHits(db, caller, known, results),
  };
}

async function searchCaptions(db: Pool, caller: Caller, given: CaptionSearch, slice: Slice) {
  const [known, scope] = await Promise.all([
    resolveTerms(db, given.searchText, {
      extent: given.wholeWords ? 'words' : 'parts',
      lookUpForms: (texts) => listOtherForms(db, caller, texts),
    }),
    resolveScope(db, caller, given),
  ]);
  const sequences = given.wholeWords ? [] : readSequences(known.terms, given.searchText);
  const results = scope ? await matchTiers(db, { known, sequences, scope, slice, limits: usualLimits }) : noResults;
  return { known, results };
}

async function showHits(
  db: Pool,
  caller: Caller,
  { terms }: KnownTerms,
  { exact, across, similar, similarTerms }: SearchResults,
): Promise<CaptionHit[]> {
  const keys = [...exact, ...across.map(({ key }) => key), ...similar];
  const hits = keys.length > 0 ? await loadHits(db, caller, keys) : [];
  const next =
    across.length > 0
      ? await loadHits(
          db,
          caller,
          across.map(({ nextKey }) => nextKey),
        )
      : [];
  const nextKeys = new Map(across.map(({ key, nextKey }) => [key, nextKey]));
  const similarKeys = new Set(similar);
  return hits.map((hit): CaptionHit => {
    const { key, transcript } = hit;
    if (similarKeys.has(key) && similarTerms)
      return { ...hit, ...showMatches(hit, similarTerms.extended), ...explainSimilar(transcript, similarTerms) };
    const following = next.find((clip) => clip.key === nextKeys.get(key));
    if (!following) return { ...hit, ...showMatches(hit, terms) };
    return { ...hit, ...showMatches(hit, terms, following.transcript), nextAudioClipID: following.key };
  });
}

export async function searchFacets(
  db: Pool,
  caller: Caller,
  given: CaptionSearchFacetsFilter,
): Promise<CaptionSearchFacets> {
  const slice: Slice = { order: 'desc', offset: 0, limit: mostCounted };
  const { results } = await searchCaptions(db, caller, given, slice);
  const { total, isComplete, exact, across, similar } = results;
  const keys = [...exact, ...across.map(({ key }) => key), ...similar];
  return { total, isComplete, ...(await countFacets(db, caller, keys, given.timeZone ?? 'UTC')) };
}
