import { clipTitleLength } from '@earshot/contract/audio-clip-recording';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { FilterDate, FilterSelect, FilterText } from '../../lib/ui/filter.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { viewerZone } from '../../lib/ui/clock.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { filterOf } from './feed-filter.ts';
import { allTags } from './data.ts';
import { clipStates } from './clip-state.ts';
import { RadioFilters } from './radio-filters.tsx';
import { epochOf, fieldText, localText, presetOptions, zoneOf } from './time-range.ts';

export function ClipFilters() {
  const { query } = currentLocation.value;
  const { data: devices = [] } = useQuery(allDevices);
  const { data: tags = [] } = useQuery(allTags);
  const { deviceID } = filterOf(query);
  return (
    <div class="filters" role="search" aria-label="Filter clips">
      <FilterPick
        label="Device"
        value={query.get('device') ?? ''}
        all="All devices"
        options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
        onChange={(device) => setQuery({ device })}
      />
      <WhenFilter deviceZone={devices.find(({ key }) => key === deviceID)?.timeZone} />
      <FilterSelect
        label="State"
        value={query.get('status') ?? ''}
        options={[
          { value: '', label: 'Any state' },
          ...Object.entries(clipStates).map(([value, { text }]) => ({ value, label: text })),
        ]}
        onChange={(status) => setQuery({ status })}
      />
      <FilterPick
        label="Tag"
        value={query.get('tag') ?? ''}
        all="Any tag"
        options={tags.map(({ key, tagName = '' }) => ({ value: String(key), label: tagName }))}
        onChange={(tag) => setQuery({ tag })}
      />
      <FilterText
        label="Title"
        value={query.get('title') ?? ''}
        placeholder="Any"
        maxLength={clipTitleLength}
        onChange={(title) => setQuery({ title: title.trim() })}
      />
      <RadioFilters filter={filterOf(query)} />
    </div>
  );
}

/** Presets, or a range between two times in a time zone. */
function WhenFilter({ deviceZone }: { readonly deviceZone: string | undefined }) {
  const { query } = currentLocation.value;
  const isBetween = query.has('from') || query.has('to') || query.get('when') === 'between';
  const zone = zoneOf(query);
  const mine = viewerZone();
  const zones = [...new Set([mine, deviceZone ?? mine, 'UTC', zone])];
  const nameOfZone = (name: string) =>
    name === mine ? `${name} (yours)` : name === deviceZone ? `${name} (device)` : name;
  // The same moments in the other zone.
  const setZone = (other: string) =>
    setQuery({
      zone: other === mine ? '' : other,
      from: inZone(query.get('from'), zone, other),
      to: inZone(query.get('to'), zone, other),
    });
  return (
    <>
      <FilterSelect
        label="When"
        value={(isBetween ? 'between' : query.get('when')) ?? ''}
        options={[{ value: '', label: 'Any time' }, ...presetOptions, { value: 'between', label: 'Between…' }]}
        onChange={(when) => setQuery({ when, from: '', to: '', ...(when === 'between' ? {} : { zone: '' }) })}
      />
      {isBetween && (
        <>
          <FilterDate
            label="From"
            type="datetime-local"
            value={fieldText(query.get('from'), zone)}
            onChange={(from) => setQuery({ when: 'between', from })}
          />
          <FilterDate
            label="To"
            type="datetime-local"
            value={fieldText(query.get('to'), zone)}
            onChange={(to) => setQuery({ when: 'between', to })}
          />
          <FilterSelect
            label="Time zone"
            value={zone}
            options={zones.map((name) => ({ value: name, label: nameOfZone(name) }))}
            onChange={setZone}
          />
        </>
      )}
    </>
  );
}

function inZone(text: string | null, zone: string, other: string): string {
  const epoch = epochOf(text, zone);
  return epoch === undefined ? '' : localText(epoch, other);
}
