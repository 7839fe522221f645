import type { RuleAlert } from '@earshot/contract/alert';
import { alertStates } from '@earshot/contract/alert';
import { ruleSeverities } from '@earshot/contract/rule';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { PagedList } from '../../lib/paged-list.tsx';
import { useQuery } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { Badge, Empty, PageHead, UserText } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { allRules, useRuleNames } from '../rule/public.ts';
import { SeverityBadge } from '../rule/public.tsx';
import { allUsers, userName } from '../user/public.ts';
import { alertStateTexts, stateTones } from './data.ts';
import { alertFilterOf, anyState } from './filter-of.ts';

export function AlertsPage() {
  const filter = alertFilterOf(currentLocation.value.query);
  const names = useRuleNames();
  return (
    <>
      <PageHead
        title="Alerts"
        under={<span>What rules found. Matches that belong together are one alert.</span>}
        actions={
          <LinkButton icon="rule" href="/rules">
            Rules
          </LinkButton>
        }
      />
      <AlertFilters />
      <PagedList<RuleAlert>
        name="alerts"
        filter={filter}
        kind="alert"
        load={(page) => api.listRuleAlerts({ body: { ...filter, ...page } })}
        countText={(count, isAll) => `${count}${isAll ? '' : ' newest'} ${count === 1 ? 'alert' : 'alerts'}`}
        empty={
          <Empty icon="bell" title={filter.state === 'open' ? 'No open alerts' : 'No alerts found'}>
            Alerts come from rules: a rule says what is to be found, and who is told.
          </Empty>
        }
      >
        {(alerts) => (
          <ul class="rows">
            {alerts.map((alert) => (
              <AlertRow
                key={alert.key}
                alert={alert}
                assignee={alert.assigneeID === undefined ? undefined : names.person(alert.assigneeID)}
              />
            ))}
          </ul>
        )}
      </PagedList>
    </>
  );
}

function AlertFilters() {
  const { query } = currentLocation.value;
  const { data: devices = [] } = useQuery(allDevices);
  const { data: users = [] } = useQuery(allUsers);
  const { data: rules = [] } = useQuery(allRules);
  return (
    <div class="filters" role="search" aria-label="Filter the alerts">
      <FilterSelect
        label="State"
        value={query.get('state') ?? 'open'}
        options={[
          ...alertStates.map((state) => ({ value: state, label: alertStateTexts[state] })),
          { value: anyState, label: 'All' },
        ]}
        onChange={(state) => setQuery({ state: state === 'open' ? '' : state })}
      />
      <FilterSelect
        label="Severity"
        value={query.get('severity') ?? ''}
        options={[
          { value: '', label: 'All' },
          ...ruleSeverities.map((severity) => ({ value: severity, label: severity })),
        ]}
        onChange={(severity) => setQuery({ severity })}
      />
      <FilterPick
        label="Rule"
        value={query.get('rule') ?? ''}
        all="All rules"
        options={rules.map(({ key, ruleName = '' }) => ({ value: String(key), label: ruleName }))}
        onChange={(rule) => setQuery({ rule })}
      />
      <FilterPick
        label="Device"
        value={query.get('device') ?? ''}
        all="All devices"
        options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
        onChange={(device) => setQuery({ device })}
      />
      <FilterPick
        label="Assigned to"
        value={query.get('person') ?? ''}
        all="Everybody"
        options={users.map((user) => ({ value: String(user.key), label: userName(user) }))}
        onChange={(person) => setQuery({ person })}
      />
    </div>
  );
}

const mostNamed = 3;

export function devicesText({ deviceNames = [] }: RuleAlert): string {
  const more = deviceNames.length - mostNamed;
  return deviceNames.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

interface AlertRowProps {
  readonly alert: RuleAlert;
  readonly assignee: string | undefined;
}

function AlertRow({ alert, assignee }: AlertRowProps) {
  const { key, ruleName, severity, matchCount = 0, startTime = 0, startTimeMs = 0, state = 'open', silence } = alert;
  const start = startTime * 1_000 + startTimeMs;
  return (
    <li class="row">
      <a class="row-link" href={`/alerts/${key}`}>
        <span class={`row-icon ${state === 'open' ? (severity === 'critical' ? 'bad' : 'warn') : ''}`}>
          <Icon name="bell" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={ruleName} />
          </span>
          <span class="row-under">
            <UserText text={devicesText(alert)} />
            <span>{dayAndMinute(start)}</span>
            <Time date={start} />
            <span>{matchCount === 1 ? '1 match' : `${matchCount} matches`}</span>
            {silence !== undefined && <span>nobody was told</span>}
            {assignee !== undefined && (
              <span>
                assigned to <UserText text={assignee} />
              </span>
            )}
          </span>
        </span>
        <span class="row-facts">
          <SeverityBadge severity={severity} />
          <Badge tone={stateTones[state]}>{alertStateTexts[state]}</Badge>
        </span>
      </a>
    </li>
  );
}
