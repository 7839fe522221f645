import type { Device } from '@earshot/contract/device';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { Timeline } from './timeline.tsx';

/** The most devices that can be compared. */
const mostDevices = 8;
const usualDevices = 3;

/** The timelines of several devices. */
export function TimelinePage() {
  const devices = useQuery(allDevices);
  return (
    <>
      <PageHead back={{ href: '/clips', label: 'Clips' }} title="Timeline" />
      <WhenLoaded from={devices} rows={5}>
        {(all) => <DeviceTimelines all={all} />}
      </WhenLoaded>
    </>
  );
}

function DeviceTimelines({ all }: { readonly all: readonly Device[] }) {
  const asked = currentLocation.value.query.get('devices')?.split(',').map(Number) ?? [];
  const found = asked.flatMap((key) => all.find((device) => device.key === key) ?? []).slice(0, mostDevices);
  // By default, online devices first.
  const usual = all.toSorted((a, b) => Number(b.online ?? false) - Number(a.online ?? false)).slice(0, usualDevices);
  const chosen = found.length > 0 ? found : usual;
  const choose = (devices: readonly Device[]) => setQuery({ devices: devices.map(({ key }) => key).join(',') });
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
  const others = all.filter((device) => !chosen.includes(device));
  return (
    <>
      <div class="filters" role="group" aria-label="Devices">
        {chosen.map((device) => (
          <span key={device.key} class="chip">
            <a class="chip-main" href={`/devices/${device.key}?tab=timeline`}>
              <bdi>{nameOf(device)}</bdi>
            </a>
            {chosen.length > 1 && (
              <button
                type="button"
                class="chip-end"
                aria-label={`Remove ${nameOf(device)}`}
                onClick={() => choose(chosen.filter((other) => other !== device))}
              >
                <Icon name="close" />
              </button>
            )}
          </span>
        ))}
        {others.length > 0 && chosen.length < mostDevices && (
          <FilterSelect
            bare
            label="Add a device"
            value=""
            options={[
              { value: '', label: 'Add a device…' },
              ...others.map((device) => ({ value: String(device.key), label: nameOf(device) })),
            ]}
            onChange={(key) => choose([...chosen, ...others.filter((device) => String(device.key) === key)])}
          />
        )}
      </div>
      <Timeline devices={chosen} />
    </>
  );
}
