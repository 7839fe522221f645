import type { Device } from '@earshot/contract/device';
import { useState } from 'preact/hooks';
import { isDeferred } from '../../lib/deferred.ts';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { SearchField } from '../../lib/ui/search-field.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { AddDeviceDialog } from './add-dialog.tsx';
import { devicesFound, devicesPerPage, nameOf } from './data.ts';
import { DeviceState, LastHeard } from './device-state.tsx';

const filters = [
  { value: 'all', label: 'All' },
  { value: 'online', label: 'Online' },
  { value: 'offline', label: 'Offline' },
] as const;
type Filter = (typeof filters)[number]['value'];

export function DevicesPage() {
  const { query } = currentLocation.value;
  const searchText = query.get('find') ?? '';
  const filter = filters.find(({ value }) => value === query.get('state'))?.value ?? 'all';
  const [adding, setAdding] = useState(query.has('add'));
  const [pages, setPages] = useKept(`pages ${searchText} ${filter}`, 1);
  const online = filter === 'all' ? undefined : filter === 'online';
  const found = useLatest(devicesFound({ searchText, online, pages }));
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
          value={searchText}
          focused={query.has('find')}
          onSearch={(find) => setQuery({ find })}
        />
        <Choice<Filter>
          label="Show"
          options={filters}
          value={filter}
          onChange={(state) => setQuery({ state: state === 'all' ? '' : state })}
        />
      </div>
      <p class="unseen" role="status">
        {found.data && (found.data.length === 1 ? '1 device' : `${found.data.length} devices`)}
      </p>
      <div class="card">
        <WhenLoaded from={found} rows={6}>
          {(devices) => (
            <DeviceList
              devices={devices.filter(({ key }) => !isDeferred(`device ${key}`))}
              isFiltered={searchText !== '' || filter !== 'all'}
              onAdd={() => setAdding(true)}
            />
          )}
        </WhenLoaded>
      </div>
      {found.data?.length === devicesPerPage * pages && (
        <div class="more">
          <Button onClick={() => setPages(pages + 1)}>Show more</Button>
        </div>
      )}
      {adding && <AddDeviceDialog onClose={close} />}
    </>
  );
}

interface DeviceListProps {
  readonly devices: readonly Device[];
  readonly isFiltered: boolean;
  readonly onAdd: () => void;
}

function DeviceList({ devices, isFiltered, onAdd }: DeviceListProps) {
  if (devices.length > 0) {
    return (
      <ul class="rows">
        {devices.map((device) => (
          <DeviceRow key={device.key} device={device} />
        ))}
      </ul>
    );
  }
  if (isFiltered) {
    return (
      <Empty
        icon="search"
        title="No matching devices"
        action={<Button onClick={() => setQuery({ find: '', state: '' })}>Show all devices</Button>}
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

function DeviceRow({ device }: { readonly device: Device }) {
  const { key, deviceSerial, deviceDescription } = device;
  return (
    <li class="row">
      <a class="row-link" href={`/devices/${key}`}>
        <span class={device.online ? 'row-icon good' : 'row-icon'}>
          <Icon name="device" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={nameOf(device)} />
          </span>
          <span class="row-under">
            <code>{deviceSerial}</code>
            {deviceDescription && <UserText text={deviceDescription} />}
          </span>
        </span>
        <span class="row-facts">
          <LastHeard device={device} />
          <DeviceState device={device} />
        </span>
      </a>
    </li>
  );
}
