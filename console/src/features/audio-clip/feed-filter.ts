import type { AudioClipHistogramFilter } from '@earshot/contract/audio-clip-page';
import { clipTitleLength } from '@earshot/contract/audio-clip-recording';
import { talkgroupIn } from '../talkgroup/public.ts';
import { isClipStatus } from './clip-state.ts';
import type { EpochRange } from './time-range.ts';
import { rangeInAddress } from './time-range.ts';

export interface ClipFeedFilter extends EpochRange {
  /** 0: all devices. */
  readonly deviceID: number;
  /** 0: any tag, or none. */
  readonly tagID: number;
  readonly status: number | undefined;
  /** Radio calls only, if one of these is set. */
  readonly talkgroup: number | undefined;
  readonly unit: number | undefined;
  readonly isEmergency: boolean | undefined;
  /** Empty: any title, or none. */
  readonly title: string;
  readonly order: 'asc' | 'desc';
}

const numberIn = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

const emergencyOf = (text: string | null): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

/** The filter in the address. */
export function filterOf(query: URLSearchParams): ClipFeedFilter {
  const status = query.get('status');
  return {
    deviceID: numberIn(query.get('device')) ?? 0,
    tagID: numberIn(query.get('tag')) ?? 0,
    status: status !== null && isClipStatus(Number(status)) ? Number(status) : undefined,
    ...rangeInAddress(query),
    talkgroup: talkgroupIn(query.get('talkgroup')),
    unit: numberIn(query.get('unit')),
    isEmergency: emergencyOf(query.get('emergency')),
    title: (query.get('title') ?? '').trim().slice(0, clipTitleLength),
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
  };
}

export const noFilter = {
  device: '',
  tag: '',
  status: '',
  when: '',
  from: '',
  to: '',
  talkgroup: '',
  unit: '',
  emergency: '',
  title: '',
};

export const isFiltered = (query: URLSearchParams): boolean => Object.keys(noFilter).some((name) => query.has(name));

/** The filter as the API takes it to count; a list can also be filtered by title. */
export function filterBody(filter: ClipFeedFilter): AudioClipHistogramFilter {
  const { deviceID, tagID, status, talkgroup, unit, isEmergency, fromEpoch, toEpoch } = filter;
  return {
    ...(deviceID === 0 ? {} : { deviceIDList: [deviceID] }),
    ...(tagID === 0 ? {} : { tagIDList: [tagID] }),
    ...(status === undefined ? {} : { audioClipStatus: status }),
    ...(talkgroup === undefined ? {} : { talkgroup }),
    ...(unit === undefined ? {} : { unit }),
    ...(isEmergency === undefined ? {} : { isEmergency }),
    ...(fromEpoch === undefined ? {} : { startEpoch: fromEpoch }),
    ...(toEpoch === undefined ? {} : { endEpoch: toEpoch }),
  };
}
