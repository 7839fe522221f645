import { deviceSorts } from '@earshot/contract/device-page';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { FilterSelect, FilterText } from '../../lib/ui/filter.tsx';
import { allCollections } from '../collection/public.ts';
import { AddDeviceDialog, deviceColumns, DeviceLines, stateNames } from '../device/public.tsx';
import type { DeviceFilters } from './page-filter.ts';
import { deviceFilterOf, noFilters, readFilters } from './page-filter.ts';
import { DeviceSelectionBar } from './selection-bar.tsx';

export function DevicesPage() {
  const { query } = currentLocation.value;
  const filters = readFilters(query);
  const [adding, setAdding] = useState(query.has('add'));
  const filter = deviceFilterOf(filters);
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
      <TableView
        name="devices"
        label="Devices"
        columns={deviceColumns}
        sorts={deviceSorts}
        search="Search by name, serial or description"
        filters={<DeviceFilterFields filters={filters} />}
        filterCount={Object.keys(filter).length}
        filter={filter}
        load={(request) => api.listDevicePage({ body: { ...filter, ...request } })}
        kinds={['device', 'collection']}
        // With a filter by state, only the server knows whether a changed device still matches.
        rowKinds={filters.state === '' ? ['device', 'audioclip', 'agent'] : ['audioclip', 'agent']}
        loadRows={async (deviceIDList) =>
          (await api.listDevicePage({ body: { deviceIDList: [...deviceIDList], count: deviceIDList.length } })).results
        }
        nameOf={({ deviceName }) => deviceName}
        hrefOf={({ key }) => `/devices/${key}`}
        isSelectable
        isGone={({ key }) => isDeferred(`device ${key}`)}
        lines={(row) => <DeviceLines row={row} />}
        countText={(count) => countText(count, 'device')}
        empty={(isFiltered) => <NoDevices isFiltered={isFiltered} onAdd={() => setAdding(true)} />}
        bar={(selected, table, feed) => <DeviceSelectionBar rows={selected} table={table} feed={feed} />}
      />
      {adding && <AddDeviceDialog onClose={close} />}
    </>
  );
}

const states = Object.entries(stateNames).map(([value, label]) => ({ value, label }));

function DeviceFilterFields({ filters }: { readonly filters: DeviceFilters }) {
  const { data: collections = [] } = useQuery(allCollections);
  return (
    <>
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
    </>
  );
}

function NoDevices({ isFiltered, onAdd }: { readonly isFiltered: boolean; readonly onAdd: () => void }) {
  if (isFiltered) {
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
