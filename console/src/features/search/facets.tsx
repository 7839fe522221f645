import type { CaptionSearchFacets } from '@earshot/contract/caption-search';
import { setQuery } from '../../app/router.ts';
import { Given, Section } from '../../ui/bits.tsx';
import { dayRange, type SearchState, writeQuery } from './address.ts';

interface FacetsProps {
  readonly facets: CaptionSearchFacets;
  readonly search: SearchState;
}

const mostShown = 8;

/** What the hits have in common; a click narrows the search to it. */
export function Facets({ facets, search }: FacetsProps) {
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
      {!facets.isComplete && (
        <p class="hint">Counted among the newest {facets.total.toLocaleString('en-GB')} matches.</p>
      )}
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
  if (list.length === 0) return null;
  const most = list[0]?.count ?? 1;
  const toggle = (key: number) =>
    onChoose(chosen.includes(key) ? chosen.filter((other) => other !== key) : [...chosen, key]);
  return (
    <Section title={title} bare>
      <ul class="facet-list">
        {list.slice(0, mostShown).map(({ key, name, count }) => (
          <li key={key}>
            <button class="facet" type="button" aria-pressed={chosen.includes(key)} onClick={() => toggle(key)}>
              <span class="facet-name">
                <Given text={name} />
              </span>
              <span class="facet-count">{count.toLocaleString('en-GB')}</span>
              <span class="facet-bar" aria-hidden="true" style={{ width: `${(100 * count) / most}%` }} />
            </button>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const mostBars = 31;

function Days({ facets: { dayList }, search }: FacetsProps) {
  if (dayList.length === 0) return null;
  const days = dayList.slice(0, mostBars).toReversed();
  const most = Math.max(...days.map(({ count }) => count));
  const choose = (day: string) => {
    const range = dayRange(day);
    if (!range) return;
    const isChosen = search.startEpoch === range.startEpoch && search.endEpoch === range.endEpoch;
    const { startEpoch: _from, endEpoch: _to, ...anyTime } = search;
    setQuery(writeQuery(isChosen ? anyTime : { ...search, ...range }), 'push');
  };
  return (
    <Section title="Days" bare>
      <ol class="days">
        {days.map(({ day, count }) => (
          <li key={day}>
            <button
              type="button"
              class="day"
              aria-label={`${dayText(day)}: ${count === 1 ? '1 clip' : `${count} clips`}`}
              title={`${dayText(day)}: ${count}`}
              aria-pressed={search.startEpoch !== undefined && dayRange(day)?.startEpoch === search.startEpoch}
              onClick={() => choose(day)}
            >
              <span class="day-bar" style={{ height: `${Math.max(6, (100 * count) / most)}%` }} />
            </button>
          </li>
        ))}
      </ol>
      <p class="day-ends quiet" aria-hidden="true">
        <span>{dayText(days[0]?.day ?? '')}</span>
        {days.length > 1 && <span>{dayText(days.at(-1)?.day ?? '')}</span>}
      </p>
    </Section>
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
