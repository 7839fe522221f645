import type { CaptionHit } from '@earshot/contract/caption-search';
import { mostCounted } from '@earshot/contract/caption-search';
import { withoutQuotes } from '@earshot/contract/words/public';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest } from '../../lib/query.ts';
import { isSearchable } from '../../lib/search-match.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { WatchSearchButton } from '../rule/public.tsx';
import type { ResultOrder, SearchState } from './address.ts';
import { bodyOf, orders, readAddress, writeQuery } from './address.ts';
import type { Found } from './data.ts';
import { facetsOf, hitsOf, steps } from './data.ts';
import { SearchFacets } from './facets.tsx';
import { TranscriptSearchField } from './field.tsx';
import { ActiveFilters, Filters } from './filters.tsx';
import { HitRow } from './hit.tsx';
import { SaveButton, SavedSearches } from './saved.tsx';
import { SearchExamples } from './search-examples.tsx';

export function SearchPage() {
  const search = readAddress(currentLocation.value.query);
  const canSearch = isSearchable(search.searchText);
  return (
    <>
      <PageHead title="Search" actions={canSearch && <SearchActions search={search} />} />
      <TranscriptSearchField search={search} />
      <Filters search={search} />
      <ActiveFilters search={search} />
      {canSearch ? (
        <Results search={search} />
      ) : (
        <div class="search-columns">
          <div class="card">
            <SearchExamples text={search.searchText} />
          </div>
          <SavedSearches />
        </div>
      )}
    </>
  );
}

const SearchActions = ({ search }: { readonly search: SearchState }) => (
  <>
    <WatchSearchButton search={search} />
    <SaveButton search={search} />
  </>
);

function Results({ search }: { readonly search: SearchState }) {
  const [step, setStep] = useKept(`step ${JSON.stringify(search)}`, 0);
  const found = useLatest(hitsOf(search, steps[step] ?? steps[0]));
  const facets = useLatest(facetsOf(bodyOf(search)));
  const setOrder = (order: ResultOrder) => setQuery(writeQuery({ ...search, order }));
  const count = steps[step] ?? 0;
  const hasMore = found.data !== undefined && found.data.total > found.data.hits.length && step < steps.length - 1;
  return (
    <div class="search-columns">
      <div>
        <div class="toolbar">
          <p class="found-count" role="status">
            {found.data && totalText(found.data)}
          </p>
          <Choice<ResultOrder> label="Order" options={orders} value={search.order} onChange={setOrder} />
        </div>
        <div class="card">
          <WhenLoaded from={found} rows={6}>
            {({ hits }) =>
              hits.length === 0 ? <NothingFound search={search} /> : <Hits hits={hits} search={search} />
            }
          </WhenLoaded>
        </div>
        {hasMore && found.data && found.data.hits.length >= count && (
          <div class="more">
            <Button onClick={() => setStep(step + 1)}>Show more</Button>
          </div>
        )}
      </div>
      <div>
        {facets.data && facets.data.total > 0 && <SearchFacets facets={facets.data} search={search} />}
        <SavedSearches />
      </div>
    </div>
  );
}

interface HitsProps {
  readonly hits: readonly CaptionHit[];
  readonly search: SearchState;
}

/** Clips that contain the words, then those that contain only similar ones. */
function Hits({ hits, search: { searchText, wholeWords } }: HitsProps) {
  const similar = hits.filter(({ isSimilar }) => isSimilar);
  const rows = (some: readonly CaptionHit[]) =>
    some.map((hit) => <HitRow key={hit.key} hit={hit} searchText={searchText} wholeWords={wholeWords} />);
  return (
    <>
      <ol class="hits">{rows(hits.slice(0, hits.length - similar.length))}</ol>
      {similar.length > 0 && (
        <section class="similar-hits" aria-labelledby="similar-words">
          <h2 id="similar-words">Similar words</h2>
          <p class="hint">
            These clips do not contain all words as you typed them, but words that sound or look alike, or other forms
            from the vocabulary.
          </p>
          <ol class="hits">{rows(similar)}</ol>
        </section>
      )}
    </>
  );
}

function totalText({ total, similarTotal }: Found): string {
  if (total >= mostCounted) return `More than ${mostCounted.toLocaleString('en-GB')} clips`;
  const exact = total - similarTotal;
  const clips = exact === 1 ? '1 clip' : `${exact.toLocaleString('en-GB')} clips`;
  return similarTotal === 0 ? clips : `${clips}, ${similarTotal} with similar words`;
}

function NothingFound({ search }: { readonly search: SearchState }) {
  const { order, searchText, wholeWords, ...filters } = search;
  const isNarrow = Object.keys(filters).length > 0;
  const words = wholeWords ? { wholeWords } : {};
  const plainWords = withoutQuotes(searchText);
  return (
    <Empty icon="search" title="No results">
      <ul class="try">
        {isNarrow && (
          <li>
            <Button onClick={() => setQuery(writeQuery({ searchText, order, ...words }), 'push')}>Clear filters</Button>
            <span>to search all devices, tags, talkgroups and days</span>
          </li>
        )}
        {plainWords !== searchText.trim() && (
          <li>
            <Button onClick={() => setQuery({ q: plainWords }, 'push')}>Search without quotes</Button>
            <span>to find the words anywhere in a clip</span>
          </li>
        )}
        {wholeWords && (
          <li>
            <Button onClick={() => setQuery({ words: '' }, 'push')}>Search parts of words</Button>
            <span>to find similar words too</span>
          </li>
        )}
        <li>Try fewer words, or only the start of a word: “harb” finds “harbour”.</li>
        <li>Try another spelling: a name may be transcribed differently.</li>
      </ul>
    </Empty>
  );
}
