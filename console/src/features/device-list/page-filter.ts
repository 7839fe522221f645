import type { DevicePageFilter, DeviceSort, DeviceStateName } from '@earshot/contract/device-page';
import { deviceSorts, deviceStates } from '@earshot/contract/device-page';
import type { Sorting } from '../../lib/table/column.ts';

/** The filters of the page in its address. */
export interface DeviceFilters {
  readonly find: string;
  readonly state: DeviceStateName | '';
  readonly collection: string;
  readonly version: string;
}

export const noFilters: DeviceFilters = { find: '', state: '', collection: '', version: '' };

export const readFilters = (query: URLSearchParams): DeviceFilters => ({
  find: query.get('find') ?? '',
  state: deviceStates.find((state) => state === query.get('state')) ?? '',
  collection: /^\d{1,15}$/.test(query.get('collection') ?? '') ? query.get('collection')! : '',
  version: query.get('version') ?? '',
});

/** What the server is asked for. */
export const deviceFilterOf = (
  { find, state, collection, version }: DeviceFilters,
  sorting: Sorting,
): DevicePageFilter => ({
  ...(find === '' ? {} : { searchText: find }),
  ...(state === '' ? {} : { stateList: [state] }),
  ...(collection === '' ? {} : { collectionIDList: [Number(collection)] }),
  ...(version === '' ? {} : { softwareVersion: version }),
  sortBy: deviceSorts.find((sort) => sort === sorting.by) ?? ('deviceName' satisfies DeviceSort),
  order: sorting.isDescending ? 'desc' : 'asc',
});

export const hasFilters = (filters: DeviceFilters): boolean => Object.values(filters).some((value) => value !== '');
