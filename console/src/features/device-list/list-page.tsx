import type { DeviceRow } from '@earshot/contract/device-page';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { FilterBar } from '../../lib/table/filter-bar.tsx';
import { TableCard } from '../../lib/table/table-card.tsx';
import { TableTools } from '../../lib/table/table-tools.tsx';
import { useRows } from '../../lib/table/use-rows.ts';
import { useTable } from '../../lib/table/use-table.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { FilterSelect, FilterText } from '../../lib/ui/filter.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { allCollections } from '../collection/public.ts';
import { AddDeviceDialog, deviceColumns, DeviceLines, stateNames } from '../device/public.tsx';
import type { DeviceFilters } from './page-filter.ts';
import { deviceFilterOf, hasFilters, noFilters, readFilters } from './page-filter.ts';
import { DeviceSelectionBar } from './selection-bar.tsx';

const usualSorting = { by: 'deviceName', isDescending: false };
const keyOf = ({ key }: DeviceRow): number => key;

export function DevicesPage() {
  const { query } = currentLocation.value;
  const filters = readFilters(query);
  const [adding, setAdding] = useState(query.has('add'));
  const table = useTable('devices', deviceColumns, usualSorting);
  const filter = deviceFilterOf(filters, table.sorting);
  const feed = useRows<DeviceRow>(
    {
      name: 'devices',
      filter,
      keyOf,
      load: (page) => api.listDevicePage({ body: { ...filter, ...page } }),
      kinds: ['device', 'collection'],
      // With a filter by state, only the server knows whether a changed device still matches.
      rowKinds: filters.state === '' ? ['device', 'audioclip', 'agent'] : ['audioclip', 'agent'],
      loadRows: async (deviceIDList) =>
        (await api.listDevicePage({ body: { deviceIDList: [...deviceIDList], count: deviceIDList.length } })).results,
    },
    table.shown,
  );
  const selected = feed.rows.filter((row) => table.selection.keys.has(keyOf(row)));
  const close = () => {
    setAdding(false);
    setQuery({ add: '' });
  };
  return (
    <>
      <PageHead
        title="Devices"
        actions={
          <Button kind="primary" icon="add" onClick={() => setAdding(true)}>
            Add a device
          </Button>
        }
      />
      <div class="toolbar">
        <SearchField
          label="Search by name, serial or description"
          value={filters.find}
          focused={query.has('find')}
          onSearch={(find) => setQuery({ find })}
        />
        <DeviceFilterBar filters={filters} />
        <TableTools table={table} feed={feed} />
      </div>
      <TableCard
        label="Devices"
        table={table}
        feed={feed}
        keyOf={keyOf}
        nameOf={({ deviceName }) => deviceName}
        hrefOf={({ key }) => `/devices/${key}`}
        isSelectable
        isGone={({ key }) => isDeferred(`device ${key}`)}
        lines={(row) => <DeviceLines row={row} />}
        countText={(count) => countText(count, 'device')}
        empty={<NoDevices isFiltered={hasFilters(filters)} onAdd={() => setAdding(true)} />}
      />
      {selected.length > 0 && <DeviceSelectionBar rows={selected} table={table} feed={feed} />}
      {adding && <AddDeviceDialog onClose={close} />}
    </>
  );
}

const states = Object.entries(stateNames).map(([value, label]) => ({ value, label }));

function DeviceFilterBar({ filters }: { readonly filters: DeviceFilters }) {
  const { data: collections = [] } = useQuery(allCollections);
  const set = ['state', 'collection', 'version'].filter((name) => filters[name as keyof DeviceFilters] !== '');
  return (
    <FilterBar count={set.length}>
      <FilterSelect
        label="State"
        value={filters.state}
        options={[{ value: '', label: 'All' }, ...states]}
        onChange={(state) => setQuery({ state })}
      />
      <FilterPick
        label="Collection"
        value={filters.collection}
        all="All"
        options={collections.map(({ key = 0, collectionName = '' }) => ({ value: String(key), label: collectionName }))}
        onChange={(collection) => setQuery({ collection })}
      />
      <FilterText
        label="Version"
        value={filters.version}
        placeholder="2.4.1"
        maxLength={shortTextLength}
        onChange={(version) => setQuery({ version })}
      />
    </FilterBar>
  );
}

function NoDevices({ isFiltered: isSearch, onAdd }: { readonly isFiltered: boolean; readonly onAdd: () => void }) {
  if (isSearch) {
    return (
      <Empty
        icon="search"
        title="No matching devices"
        action={<Button onClick={() => setQuery({ ...noFilters })}>Show all devices</Button>}
      >
        Search by part of the name, serial or description.
      </Empty>
    );
  }
  return (
    <Empty
      icon="device"
      title="No devices yet"
      action={
        <Button kind="primary" icon="add" onClick={onAdd}>
          Add your first device
        </Button>
      }
    >
      A device is a recorder. Add it by its serial to get the commands that connect it.
    </Empty>
  );
}
