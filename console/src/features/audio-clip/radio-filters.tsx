import { useId } from 'preact/hooks';
import { setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { someTalkgroups, TalkgroupInput } from '../talkgroup/public.tsx';
import type { ClipFeedFilter } from './feed-filter.ts';

/** Filters of radio calls; nothing where there are none. */
export function RadioFilters({ filter }: { readonly filter: ClipFeedFilter }) {
  const { deviceID, talkgroup, unit, isEmergency } = filter;
  const { data: known = [] } = useQuery(someTalkgroups(deviceID));
  const id = useId();
  const isSet = talkgroup !== undefined || unit !== undefined || isEmergency !== undefined;
  if (known.length === 0 && !isSet) return null;
  const emergency = isEmergency === undefined ? '' : String(isEmergency);
  return (
    <>
      <div class={talkgroup === undefined ? 'filter' : 'filter set'}>
        <label class="filter-label" for={`${id}-talkgroup`}>
          Talkgroup
        </label>
        <TalkgroupInput
          id={`${id}-talkgroup`}
          class="input"
          placeholder="Any"
          value={talkgroup}
          known={known}
          onChange={(value) => setQuery({ talkgroup: String(value ?? '') })}
        />
      </div>
      <div class={unit === undefined ? 'filter' : 'filter set'}>
        <label class="filter-label" for={`${id}-unit`}>
          Unit
        </label>
        <input
          class="input"
          id={`${id}-unit`}
          inputMode="numeric"
          pattern="[0-9]{1,15}"
          maxLength={15}
          placeholder="Any"
          autoComplete="off"
          value={String(unit ?? '')}
          onChange={({ currentTarget }) => setQuery({ unit: currentTarget.value.replaceAll(/\D/g, '') })}
        />
      </div>
      <FilterSelect
        label="Emergency"
        value={emergency}
        options={[
          { value: '', label: 'Any' },
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]}
        onChange={(value) => setQuery({ emergency: value })}
      />
    </>
  );
}
