import type { Rule } from '@earshot/contract/rule';
import type { RuleMatch, RuleMatchFilter, RuleMatchState } from '@earshot/contract/rule-match';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { PagedList } from '../../lib/paged-list.tsx';
import { useQuery } from '../../lib/query.ts';
import { Empty } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { searchWordsOf } from './condition.ts';
import { matchPage } from './data.ts';
import { MatchRow } from './match-row.tsx';
import { useRuleNames } from './names.ts';

const states: readonly { readonly value: RuleMatchState | ''; readonly label: string }[] = [
  { value: 'current', label: 'Present' },
  { value: 'withdrawn', label: 'Withdrawn' },
  { value: '', label: 'All' },
];

function filterOf(query: URLSearchParams, ruleID: number): RuleMatchFilter {
  const deviceID = Number(query.get('device'));
  const state = query.get('matches') ?? 'current';
  return {
    ruleID,
    ...(Number.isSafeInteger(deviceID) && deviceID > 0 ? { deviceID } : {}),
    ...(state === 'current' || state === 'withdrawn' ? { state } : {}),
  };
}

/** What the rule found, newest first. */
export function RuleMatches({ rule }: { readonly rule: Rule }) {
  const { query } = currentLocation.value;
  const { data: devices = [] } = useQuery(allDevices);
  const names = useRuleNames();
  const filter = filterOf(query, rule.key ?? 0);
  const words = searchWordsOf(rule.when);
  return (
    <>
      <div class="filters" role="search" aria-label="Filter the matches">
        <FilterSelect
          label="Matches"
          value={query.get('matches') === 'all' ? '' : (filter.state ?? '')}
          options={states}
          onChange={(value) => setQuery({ matches: value === 'current' ? '' : value || 'all' })}
        />
        <FilterPick
          label="Device"
          value={query.get('device') ?? ''}
          all="All devices"
          options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
          onChange={(device) => setQuery({ device })}
        />
      </div>
      <PagedList<RuleMatch>
        name="rule matches"
        filter={filter}
        kind="rulematch"
        isConcerned={({ record }) => (record as { ruleID?: number } | undefined)?.ruleID === rule.key}
        load={(page) => matchPage({ ...filter, ...page })}
        countText={(count, isAll) => `${count}${isAll ? '' : ' newest'} ${count === 1 ? 'match' : 'matches'}`}
        empty={
          <Empty icon="wave" title="No matches yet">
            {rule.when && 'state' in rule.when
              ? 'The rule finds devices in this state from when it was saved.'
              : 'The rule finds clips that arrive or change after it was saved.'}{' '}
            What it would have found before is shown beside it under “Edit”.
          </Empty>
        }
      >
        {(matches) => (
          <ol class="hits">
            {matches.map((match) => (
              <MatchRow key={match.key} match={match} words={words} rule={rule} names={names} />
            ))}
          </ol>
        )}
      </PagedList>
    </>
  );
}
