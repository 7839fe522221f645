import type { DevicePageFilter, DeviceStateName } from '@earshot/contract/device-page';
import { deviceStates } from '@earshot/contract/device-page';

/** The filters of the page in its address, besides the search. */
export interface DeviceFilters {
  readonly state: DeviceStateName | '';
  readonly collection: string;
  readonly version: string;
}

export const noFilters = { find: '', state: '', collection: '', version: '' } as const;

export const readFilters = (query: URLSearchParams): DeviceFilters => ({
  state: deviceStates.find((state) => state === query.get('state')) ?? '',
  collection: /^\d{1,15}$/.test(query.get('collection') ?? '') ? query.get('collection')! : '',
  version: query.get('version') ?? '',
});

/** What the server is asked for. */
export const deviceFilterOf = ({ state, collection, version }: DeviceFilters): DevicePageFilter => ({
  ...(state === '' ? {} : { stateList: [state] }),
  ...(collection === '' ? {} : { collectionIDList: [Number(collection)] }),
  ...(version === '' ? {} : { softwareVersion: version }),
});
