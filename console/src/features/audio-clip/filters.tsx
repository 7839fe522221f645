import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { FilterDate, FilterSelect } from '../../lib/ui/filter.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { talkgroupIn } from '../talkgroup/public.ts';
import type { ClipFeedFilter } from './feed.ts';
import { allTags, clipStates, isClipStatus } from './public.ts';
import { RadioFilters } from './radio-filters.tsx';

const spans: Readonly<Record<string, readonly [label: string, seconds: number]>> = {
  hour: ['Last hour', 3_600],
  day: ['Last 24 hours', 86_400],
  week: ['Last 7 days', 604_800],
};

/** Converts the value of a datetime-local input, in the viewer's zone, to seconds. */
function epochOf(text: string | null): number | undefined {
  const time = text === null ? NaN : new Date(text).getTime();
  return time >= 0 ? Math.floor(time / 1_000) : undefined;
}

const keyOf = (text: string | null): number => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0);

const unitOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

const emergencyOf = (text: string | null): boolean | undefined =>
  text === 'true' ? true : text === 'false' ? false : undefined;

/** The filter in the address. */
export function filterOf(query: URLSearchParams): ClipFeedFilter {
  const status = query.get('status');
  const [, seconds] = spans[query.get('when') ?? ''] ?? [];
  const fromEpoch = seconds === undefined ? epochOf(query.get('from')) : Math.floor(Date.now() / 1_000) - seconds;
  const toEpoch = seconds === undefined ? epochOf(query.get('to')) : undefined;
  return {
    deviceID: keyOf(query.get('device')),
    tagID: keyOf(query.get('tag')),
    status: status !== null && isClipStatus(Number(status)) ? Number(status) : undefined,
    fromEpoch,
    // The API rejects an end before the start; an empty range gives no clips.
    toEpoch: toEpoch === undefined ? undefined : Math.max(toEpoch, fromEpoch ?? 0),
    talkgroup: talkgroupIn(query.get('talkgroup')),
    unit: unitOf(query.get('unit')),
    isEmergency: emergencyOf(query.get('emergency')),
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
};

export const isFiltered = (query: URLSearchParams): boolean => Object.keys(noFilter).some((name) => query.has(name));

export function ClipFilters() {
  const { query } = currentLocation.value;
  const { data: devices = [] } = useQuery(allDevices);
  const { data: tags = [] } = useQuery(allTags);
  const when = query.has('from') || query.has('to') || query.get('when') === 'between' ? 'between' : query.get('when');
  return (
    <div class="filters" role="search" aria-label="Filter clips">
      <FilterSelect
        label="Device"
        value={query.get('device') ?? ''}
        options={[
          { value: '', label: 'All devices' },
          ...devices.map((device) => ({ value: String(device.key), label: nameOf(device) })),
        ]}
        onChange={(device) => setQuery({ device })}
      />
      <FilterSelect
        label="When"
        value={when ?? ''}
        options={[
          { value: '', label: 'Any time' },
          ...Object.entries(spans).map(([value, [label]]) => ({ value, label })),
          { value: 'between', label: 'Between…' },
        ]}
        onChange={(value) => setQuery({ when: value, from: '', to: '' })}
      />
      {when === 'between' && (
        <>
          <FilterDate
            label="From"
            type="datetime-local"
            value={query.get('from') ?? ''}
            onChange={(from) => setQuery({ from })}
          />
          <FilterDate
            label="To"
            type="datetime-local"
            value={query.get('to') ?? ''}
            onChange={(to) => setQuery({ to })}
          />
        </>
      )}
      <FilterSelect
        label="State"
        value={query.get('status') ?? ''}
        options={[
          { value: '', label: 'Any state' },
          ...Object.entries(clipStates).map(([value, { text }]) => ({ value, label: text })),
        ]}
        onChange={(status) => setQuery({ status })}
      />
      <FilterSelect
        label="Tag"
        value={query.get('tag') ?? ''}
        options={[
          { value: '', label: 'Any tag' },
          ...tags.map(({ key, tagName = '' }) => ({ value: String(key), label: tagName })),
        ]}
        onChange={(tag) => setQuery({ tag })}
      />
      <RadioFilters filter={filterOf(query)} />
    </div>
  );
}
