import type { CaptionSearch } from '@earshot/contract/caption-search';
import { searchTextLength } from '@earshot/contract/values';

const keysIn = (text: string | null): number[] =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((key) => Number.isSafeInteger(key) && key > 0);

/** The address of a new rule that watches a search. */
export function watchAddress({ searchText, deviceIDList = [], tagIDList = [], talkgroup }: CaptionSearch): string {
  const query = new URLSearchParams({ q: searchText });
  if (deviceIDList.length > 0) query.set('device', deviceIDList.join(','));
  if (tagIDList.length > 0) query.set('tag', tagIDList.join(','));
  if (talkgroup !== undefined) query.set('talkgroup', String(talkgroup));
  return `/rules/new?${query}`;
}

/** Undefined if the address names no search. */
export function watchedSearchOf(query: URLSearchParams): CaptionSearch | undefined {
  const searchText = (query.get('q') ?? '').slice(0, searchTextLength);
  if (searchText === '') return undefined;
  const [deviceIDList, tagIDList, [talkgroup]] = [
    keysIn(query.get('device')),
    keysIn(query.get('tag')),
    keysIn(query.get('talkgroup')),
  ];
  return {
    searchText,
    ...(deviceIDList.length > 0 ? { deviceIDList } : {}),
    ...(tagIDList.length > 0 ? { tagIDList } : {}),
    ...(talkgroup === undefined ? {} : { talkgroup }),
  };
}
