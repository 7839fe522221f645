import { currentLocation, setQuery } from '../../../lib/location.ts';
import { useQuery } from '../../../lib/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { dateText } from '../../../lib/ui/clock.ts';
import { FilterDate, FilterText } from '../../../lib/ui/filter.tsx';
import { FilterPick } from '../../../lib/ui/filter-pick.tsx';
import { Choice } from '../../../lib/ui/tabs.tsx';
import { allCollections } from '../../collection/public.ts';
import { chosenDay, stepped } from '../range.ts';
import type { FleetFilter } from './fleet-feed.ts';
import type { FleetSpan } from './fleet-range.ts';
import { playsPointed } from './fleet-words.ts';

const longestName = 100;

interface FleetToolsProps {
  readonly filter: FleetFilter;
  readonly zone: string;
}

export function FleetTools({ filter, zone }: FleetToolsProps) {
  const { query } = currentLocation.value;
  const { data: collections = [] } = useQuery(allCollections);
  const { span } = filter.range;
  const day = chosenDay(query);
  const step = (count: number) => {
    setQuery({ day: stepped(span === 'day' ? 'day' : 'week', day, count, zone, Date.now()) });
  };
  return (
    <>
      <div class="filters" role="search" aria-label="Filter devices">
        <FilterPick
          label="Collection"
          value={query.get('collection') ?? ''}
          all="All collections"
          options={collections.map(({ key, collectionName = '' }) => ({ value: String(key), label: collectionName }))}
          onChange={(collection) => setQuery({ collection })}
        />
        <FilterText
          label="Device"
          value={query.get('find') ?? ''}
          placeholder="Name or serial"
          maxLength={longestName}
          onChange={(find) => setQuery({ find: find.trim() })}
        />
      </div>
      <div class="toolbar timeline-tools">
        <Choice<FleetSpan>
          label="Show"
          value={span}
          options={[
            { value: 'month', label: '30 days' },
            { value: 'day', label: 'Day' },
          ]}
          onChange={(next) => setQuery({ span: next === 'month' ? '' : next })}
        />
        <div class="timeline-days">
          <Button kind="quiet" icon="back" label="Earlier" onClick={() => step(-1)} />
          <FilterDate
            label="Day"
            type="date"
            value={day || dateText(Date.now(), zone)}
            onChange={(next) => setQuery({ day: next })}
          />
          <Button kind="quiet" icon="next" label="Later" busy={day === ''} onClick={() => step(1)} />
        </div>
        <button
          class="button quiet small toggle"
          type="button"
          aria-pressed={playsPointed.value}
          title="Plays the newest clip where the pointer or the cursor rests"
          onClick={() => (playsPointed.value = !playsPointed.value)}
        >
          <span>Play what I point at</span>
        </button>
      </div>
    </>
  );
}
