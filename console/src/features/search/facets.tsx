import type { CaptionSearchFacets } from '@earshot/contract/caption-search';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../../lib/location.ts';
import { Button } from '../../lib/ui/button.tsx';
import { UserText, Section } from '../../lib/ui/elements.tsx';
import type { SearchState } from './address.ts';
import { dayRange, daysUpTo, writeQuery } from './address.ts';

interface FacetsProps {
  readonly facets: CaptionSearchFacets;
  readonly search: SearchState;
}

const mostShown = 8;

/** Counts of the hits by day, device and tag. A click adds the filter. */
export function SearchFacets({ facets, search }: FacetsProps) {
  const { deviceList, tagList } = facets;
  const devices = deviceList.map(({ deviceID, deviceName = '', count }) => ({
    key: deviceID,
    name: deviceName,
    count,
  }));
  const tags = tagList.map(({ tagID, tagName = '', count }) => ({ key: tagID, name: tagName, count }));
  return (
    <div class="facets">
      <Days facets={facets} search={search} />
      <FacetList
        title="Devices"
        list={devices}
        chosen={search.deviceIDList ?? []}
        onChoose={(deviceIDList) => setQuery(writeQuery({ ...search, deviceIDList }), 'push')}
      />
      <FacetList
        title="Tags"
        list={tags}
        chosen={search.tagIDList ?? []}
        onChoose={(tagIDList) => setQuery(writeQuery({ ...search, tagIDList }), 'push')}
      />
      {!facets.isComplete && <p class="hint">Based on the newest {facets.total.toLocaleString('en-GB')} matches.</p>}
    </div>
  );
}

interface FacetListProps {
  readonly title: string;
  readonly list: readonly { readonly key: number; readonly name: string; readonly count: number }[];
  readonly chosen: readonly number[];
  readonly onChoose: (keys: number[]) => void;
}

function FacetList({ title, list, chosen, onChoose }: FacetListProps) {
  const [isWhole, setWhole] = useState(false);
  const [typed, setTyped] = useState('');
  if (list.length === 0) return null;
  const matching = list.filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()));
  const shown = isWhole ? matching : list.slice(0, mostShown);
  const most = list[0]?.count ?? 1;
  const toggle = (key: number) =>
    onChoose(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  return (
    <Section title={title} bare>
      {isWhole && (
        <input
          class="input facet-find"
          type="search"
          aria-label={`Find in ${title}`}
          placeholder={`Find in ${list.length.toLocaleString('en')}`}
          autoComplete="off"
          dir="auto"
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <ul class={isWhole ? 'facet-list whole' : 'facet-list'}>
        {shown.map(({ key, name, count }) => (
          <li key={key}>
            <button class="facet" type="button" aria-pressed={chosen.includes(key)} onClick={() => toggle(key)}>
              <span class="facet-name">
                <UserText text={name} />
              </span>
              <span class="facet-count">{count.toLocaleString('en-GB')}</span>
              <span class="facet-bar" aria-hidden="true" style={{ width: `${(100 * count) / most}%` }} />
            </button>
          </li>
        ))}
      </ul>
      {list.length > mostShown && (
        <Button
          small
          kind="quiet"
          onClick={() => {
            setWhole(!isWhole);
            setTyped('');
          }}
        >
          {isWhole ? 'Show fewer' : `Show ${list.length.toLocaleString('en')}`}
        </Button>
      )}
    </Section>
  );
}

const [leastDays, mostDays] = [14, 31];

/** A bar for each day with hits, up to the newest; days without hits are empty. */
function Days({ facets: { dayList }, search }: FacetsProps) {
  const newest = dayList[0]?.day;
  const oldest = dayList.at(-1)?.day;
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    // The newest day is at the end.
    if (list.current) list.current.scrollLeft = list.current.scrollWidth;
  }, [newest]);
  if (!newest || !oldest) return null;
  const counts = new Map(dayList.map(({ day, count }) => [day, count]));
  const all = daysUpTo(newest, mostDays);
  const days = all.slice(Math.min(Math.max(0, all.indexOf(oldest)), mostDays - leastDays));
  const most = Math.max(...days.map((day) => counts.get(day) ?? 0));
  const choose = (day: string, isChosen: boolean) => {
    const { startEpoch: _from, endEpoch: _to, ...anyTime } = search;
    setQuery(writeQuery(isChosen ? anyTime : { ...search, ...dayRange(day) }), 'push');
  };
  return (
    <Section title="Days" bare>
      <ol class="days" ref={list}>
        {days.map((day) => (
          <li key={day}>
            <Day day={day} count={counts.get(day) ?? 0} most={most} search={search} onChoose={choose} />
          </li>
        ))}
      </ol>
      <p class="day-ends quiet" aria-hidden="true">
        <span>{dayText(days[0] ?? '')}</span>
        <span>{dayText(newest)}</span>
      </p>
    </Section>
  );
}

interface DayProps {
  readonly day: string;
  readonly count: number;
  readonly most: number;
  readonly search: SearchState;
  readonly onChoose: (day: string, isChosen: boolean) => void;
}

function Day({ day, count, most, search, onChoose }: DayProps) {
  if (count === 0) return null;
  const range = dayRange(day);
  const isChosen = search.startEpoch === range?.startEpoch && search.endEpoch === range?.endEpoch;
  return (
    <button
      type="button"
      class="day"
      aria-label={`${dayText(day)}: ${count === 1 ? '1 clip' : `${count} clips`}`}
      title={`${dayText(day)}: ${count}`}
      aria-pressed={isChosen}
      onClick={() => onChoose(day, isChosen)}
    >
      <span class="day-bar" style={{ height: `${Math.max(6, (100 * count) / most)}%` }} />
    </button>
  );
}

function dayText(day: string): string {
  const range = dayRange(day);
  if (!range) return day;
  return new Date(range.startEpoch * 1_000).toLocaleDateString('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
}
