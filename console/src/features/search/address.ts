import type { CaptionSearch } from '@earshot/contract/caption-search';
import { longestIdList, searchTextLength } from '@earshot/contract/values';
import { talkgroupIn } from '../talkgroup/public.ts';

/* The address contains the whole search, so that it can be shared, bookmarked and found in the history. */

export const orders = [
  { value: 'desc', label: 'Newest' },
  { value: 'asc', label: 'Oldest' },
  { value: 'relevance', label: 'Relevance' },
] as const;
export type ResultOrder = (typeof orders)[number]['value'];

export interface SearchState extends CaptionSearch {
  readonly order: ResultOrder;
}

const msPerSecond = 1_000;

const keysIn = (text: string | null): number[] =>
  [...new Set((text ?? '').split(',').map(Number))]
    .filter((key) => Number.isSafeInteger(key) && key > 0)
    .slice(0, longestIdList);

const epochIn = (text: string | null): number | undefined => {
  const epoch = Number(text ?? Number.NaN);
  return text && Number.isInteger(epoch) && epoch >= 0 && epoch <= 253_402_300_799 ? epoch : undefined;
};

export function readAddress(query: URLSearchParams): SearchState {
  const devices = keysIn(query.get('device'));
  const tags = keysIn(query.get('tag'));
  const talkgroup = talkgroupIn(query.get('talkgroup'));
  const [from, to] = [epochIn(query.get('from')), epochIn(query.get('to'))];
  return {
    searchText: (query.get('q') ?? '').slice(0, searchTextLength),
    ...(query.get('words') === 'whole' ? { wholeWords: true } : {}),
    order: orders.find(({ value }) => value === query.get('order'))?.value ?? 'desc',
    ...(devices.length > 0 ? { deviceIDList: devices } : {}),
    ...(tags.length > 0 ? { tagIDList: tags } : {}),
    ...(talkgroup === undefined ? {} : { talkgroup }),
    ...(from === undefined ? {} : { startEpoch: from }),
    ...(to === undefined ? {} : { endEpoch: to }),
  };
}

/** Query parameters for `setQuery`: an empty value removes the parameter. */
export function writeQuery(search: CaptionSearch & { readonly order?: ResultOrder }): Readonly<Record<string, string>> {
  const { searchText, wholeWords, deviceIDList = [], tagIDList = [], talkgroup, startEpoch, endEpoch } = search;
  const { order = 'desc' } = search;
  return {
    q: searchText,
    words: wholeWords ? 'whole' : '',
    device: deviceIDList.join(','),
    tag: tagIDList.join(','),
    talkgroup: talkgroup === undefined ? '' : String(talkgroup),
    from: startEpoch === undefined ? '' : String(startEpoch),
    to: endEpoch === undefined ? '' : String(endEpoch),
    order: order === 'desc' ? '' : order,
  };
}

export function addressOf(search: CaptionSearch): string {
  const filled = Object.entries(writeQuery(search)).filter(([, value]) => value !== '');
  return `/search?${new URLSearchParams(filled)}`;
}

/** The request body of a search. */
export const bodyOf = ({ order: _order, ...body }: SearchState): CaptionSearch => body;

/** First and last second of a day in the viewer's zone. */
export function dayRange(day: string): { readonly startEpoch: number; readonly endEpoch: number } | undefined {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const begin = new Date(year, month - 1, date).getTime();
  const end = new Date(year, month - 1, date + 1).getTime();
  if (!Number.isFinite(begin) || begin < 0) return undefined;
  return { startEpoch: begin / msPerSecond, endEpoch: end / msPerSecond - 1 };
}

/** The last `count` days up to this day, oldest first. */
export function daysUpTo(day: string, count: number): readonly string[] {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  return Array.from({ length: count }, (_, at) =>
    dayOf(new Date(year, month - 1, date - (count - 1 - at), 12).getTime() / msPerSecond),
  );
}

export function dayOf(epoch: number): string {
  const date = new Date(epoch * msPerSecond);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
