import type { Device } from '@earshot/contract/device';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import type { Query } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { newestClips, startOf } from '../audio-clip/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { byLatestClip, lanePage, lanesPerPage } from './choose.ts';
import { FleetTimeline } from './fleet/fleet-timeline.tsx';
import { openAtLatest } from './open-at-latest.ts';
import { Timeline } from './timeline.tsx';

/** The newest clips that decide which devices come first. */
const looked = 200;

/** More devices than are shown side by side: then the fleet comes first. */
const isFleet: Query<boolean> = {
  key: 'timeline fleet',
  load: async () => (await api.listDevices({ body: { count: lanesPerPage + 1 } })).length > lanesPerPage,
};

/** A row for each device of the fleet, or a few devices in detail. */
export function TimelinePage() {
  const { query } = currentLocation.value;
  const fleet = useQuery(isFleet);
  const asked = query.get('view') ?? (query.has('devices') || query.has('page') ? 'devices' : '');
  return (
    <>
      <PageHead title="Timeline" />
      <WhenLoaded from={fleet} rows={5}>
        {(isLarge) => {
          const view = asked === 'devices' || asked === 'fleet' ? asked : isLarge ? 'fleet' : 'devices';
          return (
            <>
              <Tabs
                label="Timeline"
                current={view}
                href={(value) => `/timeline?view=${value}`}
                tabs={[
                  { value: 'fleet', label: 'All devices' },
                  { value: 'devices', label: 'Some in detail' },
                ]}
              />
              {view === 'fleet' ? <FleetTimeline /> : <DetailedTimelines />}
            </>
          );
        }}
      </WhenLoaded>
    </>
  );
}

/** The timelines of several devices. */
function DetailedTimelines() {
  const devices = useQuery(allDevices);
  const newest = useQuery(newestClips(0, looked));
  // Later clips do not change the order, because lanes that move would lose the zoom and the selection.
  const ordering = useRef(newest.data);
  ordering.current ??= newest.data;
  const loaded = { data: newest.data && devices.data, error: devices.error ?? newest.error };
  const latest = newest.data?.[0];
  useEffect(() => openAtLatest(latest && startOf(latest)), [newest.data !== undefined]);
  return (
    <WhenLoaded from={loaded} rows={5}>
      {(all) => <DeviceTimelines all={byLatestClip(all, ordering.current ?? [])} />}
    </WhenLoaded>
  );
}

const setDevices = (devices: readonly Device[]): void =>
  setQuery({ devices: devices.map(({ key }) => key).join(','), page: '' });

function DeviceTimelines({ all }: { readonly all: readonly Device[] }) {
  const { query } = currentLocation.value;
  const asked = query.get('devices')?.split(',').map(Number) ?? [];
  const picked = asked.flatMap((key) => all.find((device) => device.key === key) ?? []);
  const found = lanePage(picked.length > 0 ? picked : all, Number(query.get('page')));
  if (all.length === 0) {
    return (
      <div class="card">
        <Empty
          icon="timeline"
          title="No devices yet"
          action={<LinkButton href="/devices?add=1">Add your first device</LinkButton>}
        >
          The timeline shows the recordings of several devices side by side.
        </Empty>
      </div>
    );
  }
  const { shown, page, pages, text } = found;
  const go = (to: number) => setQuery({ page: to === 1 ? '' : String(to) });
  return (
    <>
      <DeviceChoice all={all} picked={picked} />
      {pages > 1 && (
        <div class="lane-pages" role="group" aria-label="Devices shown">
          <span role="status">{text}</span>
          <Button
            small
            kind="quiet"
            icon="back"
            label="Previous devices"
            busy={page === 1}
            onClick={() => go(page - 1)}
          />
          <Button
            small
            kind="quiet"
            icon="next"
            label="Next devices"
            busy={page === pages}
            onClick={() => go(page + 1)}
          />
        </div>
      )}
      <Timeline devices={shown} />
    </>
  );
}

interface DeviceChoiceProps {
  readonly all: readonly Device[];
  /** None: all devices are shown. */
  readonly picked: readonly Device[];
}

function DeviceChoice({ all, picked }: DeviceChoiceProps) {
  const others = all.filter((device) => !picked.includes(device));
  if (all.length === 1) return null;
  return (
    <div class="filters" role="group" aria-label="Devices">
      {picked.map((device) => (
        <span key={device.key} class="chip">
          <a class="chip-main" href={`/devices/${device.key}?tab=timeline`}>
            <bdi>{nameOf(device)}</bdi>
          </a>
          <button
            type="button"
            class="chip-end"
            aria-label={`Remove ${nameOf(device)}`}
            onClick={() => setDevices(picked.filter((other) => other !== device))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {others.length > 0 && (
        <FilterSelect
          bare
          label={picked.length > 0 ? 'Add a device' : 'Choose a device'}
          value=""
          options={[
            { value: '', label: picked.length > 0 ? 'Add a device…' : 'All devices, newest clips first' },
            ...others
              .toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)))
              .map((device) => ({ value: String(device.key), label: nameOf(device) })),
          ]}
          onChange={(key) => setDevices([...picked, ...others.filter((device) => String(device.key) === key)])}
        />
      )}
      {picked.length > 0 && others.length > 0 && (
        <Button small kind="quiet" onClick={() => setDevices([])}>
          Show all devices
        </Button>
      )}
    </div>
  );
}
