import type { Device } from '@earshot/contract/device';
import { WhenLoaded } from '../../app/loaded.tsx';
import { useQuery } from '../../app/query.ts';
import { place } from '../../app/router.ts';
import type { PageProps } from '../../app/routes.ts';
import { Given, PageHead } from '../../ui/bits.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { PresetsOfDevice } from '../event-preset/of-device.tsx';
import { Activity } from './activity.tsx';
import { nameOf, oneDevice } from './data.ts';
import { LazyTimeline } from './lazy-timeline.tsx';
import { DeviceSettings } from './settings.tsx';
import { SendButton } from './send-button.tsx';
import { DeviceState, LastHeard } from './state.tsx';

const tabs = [
  { value: 'activity', label: 'Activity' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'presets', label: 'Presets' },
  { value: 'settings', label: 'Settings' },
] as const;

export function DevicePage({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  return <WhenLoaded from={device}>{(data) => <DeviceTabs device={data} />}</WhenLoaded>;
}

function DeviceTabs({ device }: { readonly device: Device }) {
  const { key = 0, deviceSerial, deviceDescription } = device;
  const tab = tabs.find(({ value }) => value === place.value.query.get('tab'))?.value ?? 'activity';
  const address = (value: string) => (value === 'activity' ? `/devices/${key}` : `/devices/${key}?tab=${value}`);
  return (
    <>
      <PageHead
        back={{ href: '/devices', label: 'Devices' }}
        title={<Given text={nameOf(device)} />}
        under={
          <>
            <DeviceState device={device} />
            <LastHeard device={device} />
            <code>{deviceSerial}</code>
            {deviceDescription && <Given text={deviceDescription} />}
          </>
        }
        actions={<SendButton deviceID={key} />}
      />
      <Tabs label="Device" tabs={tabs} current={tab} href={address} />
      {tab === 'activity' && <Activity device={device} />}
      {tab === 'timeline' && <LazyTimeline device={device} />}
      {tab === 'presets' && <PresetsOfDevice deviceID={key} />}
      {tab === 'settings' && <DeviceSettings key={key} device={device} />}
    </>
  );
}
