import type { CaptionHit, CaptionSearch, CaptionSearchFacets } from '@earshot/contract/caption-search';
import type { CaptionSummary } from '@earshot/contract/caption';
import type { SavedSearch } from '@earshot/contract/saved-search';
import { largestLimit } from '@earshot/contract/caption-search';
import { summaryLength } from '@earshot/contract/caption';
import { api } from '../../lib/api.ts';
import type { Change, Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';
import { mayChangeResults } from '../../lib/search-match.ts';
import type { SearchState } from './address.ts';
import { bodyOf } from './address.ts';

export interface Found {
  readonly total: number;
  /** How many of them match only by similar words. They follow after all others. */
  readonly similarTotal: number;
  readonly hits: readonly CaptionHit[];
}

/** Number of hits shown at first and after each "Show more". */
export const steps = [20, 100, 200, 300, 400, 500] as const;

/** Whether a new or edited transcript may change the results. */
function mayChange(change: Change, { searchText, deviceIDList = [] }: CaptionSearch): boolean {
  if (change.event === 'collection') return true;
  if (change.event !== 'caption') return false;
  if (deviceIDList.length > 0 && change.deviceID !== undefined && !deviceIDList.includes(change.deviceID)) return false;
  const { transcript = '' } = (change.record ?? {}) as CaptionSummary;
  // A change contains only the start of a long transcript.
  return transcript.length >= summaryLength || mayChangeResults(transcript, searchText);
}

export const hitsOf = (search: SearchState, count: number): Query<Found> => ({
  key: `search ${count} ${JSON.stringify(search)}`,
  mayStop: true,
  load: async (signal) => {
    const hits: CaptionHit[] = [];
    let [total, similarTotal] = [0, 0];
    while (hits.length < count) {
      const limit = Math.min(largestLimit, count - hits.length);
      const query = { order: search.order, offset: hits.length, limit };
      const page = await api.searchCaptions({ query, body: bodyOf(search) }, { signal });
      [total, similarTotal] = [page.total, page.similarTotal ?? 0];
      hits.push(...page.results);
      if (page.results.length < limit) break;
    }
    return { total, similarTotal, hits };
  },
  follow: (found, change) => {
    const isShown = found.hits.some(({ key }) => key === change.key);
    const isGone = change.event === 'audioclip' && change.change === 'removed' && isShown;
    return isGone || (change.event === 'caption' && isShown) || mayChange(change, search) ? reload : found;
  },
});

export const facetsOf = (search: CaptionSearch): Query<CaptionSearchFacets> => ({
  key: `search facets ${JSON.stringify(search)}`,
  mayStop: true,
  load: (signal) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    return api.searchCaptionFacets({ body: { ...search, timeZone } }, { signal });
  },
  follow: (facets, change) => (mayChange(change, search) ? reload : facets),
});

export const savedSearches: Query<readonly SavedSearch[]> = {
  key: 'saved searches',
  load: () => api.listSavedSearches(),
};
