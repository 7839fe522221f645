import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { PageHead } from '../../lib/ui/elements.tsx';
import { allTags } from '../audio-clip/public.ts';
import { emptyRule, ruleOfSearch } from './draft.ts';
import { EditPanel } from './edit-panel.tsx';
import { watchedSearchOf } from './watch-address.ts';

/** A new rule; empty, or made from a search. */
export function NewRulePage() {
  const [search] = useState(() => watchedSearchOf(currentLocation.peek().query));
  const tags = useQuery(allTags);
  const chosen = search?.tagIDList ?? [];
  const start = search
    ? ruleOfSearch(
        search,
        (tags.data ?? []).filter(({ key = 0 }) => chosen.includes(key)).map(({ tagName = '' }) => tagName),
      )
    : emptyRule;
  return (
    <>
      <PageHead
        title="New rule"
        back={{ href: '/rules', label: 'Rules' }}
        under={<span>Write what you want to be told of. It is tried on what is here already before you save it.</span>}
      />
      {chosen.length === 0 ? (
        <EditPanel start={start} />
      ) : (
        <WhenLoaded from={tags}>{() => <EditPanel start={start} />}</WhenLoaded>
      )}
    </>
  );
}
