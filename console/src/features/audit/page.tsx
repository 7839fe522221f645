import { auditActionNames, auditActions } from '@earshot/contract/audit-actions';
import type { AuditEntry, AuditExport } from '@earshot/contract/audit';
import { largestCount } from '@earshot/contract/values';
import { changeAuditKey } from '@earshot/contract/audit-log';
import { attempt } from '../../lib/attempt.ts';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest, useQuery } from '../../lib/query.ts';
import { isAdmin } from '../../lib/session.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterDate } from '../../lib/ui/filter.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { useReload } from '../../lib/use-reload.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { allUsers, userName } from '../user/public.ts';
import { downloadEntries, entriesOf, entriesPerPage } from './data.ts';
import { EntryRow } from './entry-row.tsx';
import { auditFilterOf } from './filter-of.ts';
import { SealedLog } from './sealed-log.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { may } from '../right/public.ts';

export function AuditPage() {
  const filter = auditFilterOf(currentLocation.value.query);
  useReload('audit ');
  return (
    <>
      <PageHead
        title="Audit trail"
        under={
          <span>
            {isAdmin()
              ? 'Who did what: sign-ins, keys, sharing, changes, deletions, exports, playback and settings.'
              : 'What you did, and what was done with your devices.'}
          </span>
        }
        actions={
          <>
            <Button icon="download" onClick={() => void attempt(() => downloadEntries(filter, 'csv'))}>
              Export CSV
            </Button>
            <Button icon="download" onClick={() => void attempt(() => downloadEntries(filter, 'jsonl'))}>
              Export JSON lines
            </Button>
          </>
        }
      />
      {may(changeAuditKey) && <SealedLog />}
      <AuditFilters />
      <Entries key={JSON.stringify(filter)} filter={filter} />
    </>
  );
}

function AuditFilters() {
  const { query } = currentLocation.value;
  const { data: devices = [] } = useQuery(allDevices);
  const { data: users = [] } = useQuery(allUsers);
  return (
    <div class="filters" role="search" aria-label="Filter the audit trail">
      <FilterPick
        label="Person"
        value={query.get('person') ?? ''}
        all="Everybody"
        options={users.map((user) => ({ value: String(user.key), label: userName(user) }))}
        onChange={(person) => setQuery({ person })}
      />
      <FilterPick
        label="Action"
        value={query.get('action') ?? ''}
        all="All actions"
        options={auditActionNames.map((value) => ({ value, label: auditActions[value].label }))}
        onChange={(action) => setQuery({ action })}
      />
      <FilterPick
        label="Device"
        value={query.get('device') ?? ''}
        all="All devices"
        options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
        onChange={(device) => setQuery({ device })}
      />
      <FilterDate label="From" type="date" value={query.get('from') ?? ''} onChange={(from) => setQuery({ from })} />
      <FilterDate label="To" type="date" value={query.get('to') ?? ''} onChange={(to) => setQuery({ to })} />
    </div>
  );
}

function Entries({ filter }: { readonly filter: AuditExport }) {
  const [pages, setPages] = useKept(`audit pages ${JSON.stringify(filter)}`, 1);
  const count = Math.min(entriesPerPage * pages, largestCount);
  const found = useLatest(entriesOf(filter, count));
  const entries = found.data?.results ?? [];
  return (
    <>
      <p class="unseen" role="status">
        {found.data && countText(entries.length, 'entry', 'entries')}
      </p>
      <div class="card">
        <WhenLoaded from={found} rows={6}>
          {({ results }) =>
            results.length === 0 ? <Empty icon="history" title="No entries found" /> : <EntryList entries={results} />
          }
        </WhenLoaded>
      </div>
      {found.data?.next !== undefined && (
        <div class="more">
          {count < largestCount ? (
            <Button onClick={() => setPages(pages + 1)}>Load older</Button>
          ) : (
            <p class="quiet">
              These are the newest {largestCount} entries. Choose a time to see older ones, or export.
            </p>
          )}
        </div>
      )}
    </>
  );
}

function EntryList({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: users = [] } = useQuery(allUsers);
  const deviceNames = new Map(devices.map((device) => [device.key, nameOf(device)]));
  const userNames = new Map(users.map((user) => [user.key, userName(user)]));
  return (
    <ul class="rows">
      {entries.map((entry) => (
        <EntryRow key={entry.key} entry={entry} deviceNames={deviceNames} userNames={userNames} />
      ))}
    </ul>
  );
}
