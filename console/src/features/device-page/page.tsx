import type { Device } from '@earshot/contract/device';
import { createEvent } from '@earshot/contract/event';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { nameOf, oneDevice } from '../device/public.ts';
import { DeviceStatus } from '../device/public.tsx';
import { SetAsideNotice, WarningNotices } from '../device-health/public.tsx';
import { PresetsOfDevice } from '../event-preset/public.tsx';
import { DeviceLog } from '../log-message/public.tsx';
import { may } from '../right/public.ts';
import { TalkgroupsOfDevice } from '../talkgroup/public.tsx';
import { Activity } from './activity.tsx';
import { HealthTab } from './health.tsx';
import { LazySettings, LazyTimeline } from './lazy-tabs.tsx';
import { SendButton } from './send-button.tsx';

const tabs = [
  { value: 'activity', label: 'Activity' },
  { value: 'timeline', label: 'Timeline' },
  { value: 'health', label: 'Health' },
  { value: 'log', label: 'Log' },
  { value: 'presets', label: 'Presets' },
  { value: 'settings', label: 'Settings' },
] as const;

export function DevicePage({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  return <WhenLoaded from={device}>{(data) => <DeviceTabs device={data} />}</WhenLoaded>;
}

function DeviceTabs({ device }: { readonly device: Device }) {
  const { key = 0, deviceSerial, deviceDescription } = device;
  const tab = tabs.find(({ value }) => value === currentLocation.value.query.get('tab'))?.value ?? 'activity';
  const address = (value: string) => (value === 'activity' ? `/devices/${key}` : `/devices/${key}?tab=${value}`);
  return (
    <>
      <PageHead
        back={{ href: '/devices', label: 'Devices' }}
        title={<UserText text={nameOf(device)} />}
        under={
          <>
            <DeviceStatus deviceID={key} />
            <code>{deviceSerial}</code>
            {deviceDescription && <UserText text={deviceDescription} />}
          </>
        }
        actions={may(createEvent, { deviceID: key }) && <SendButton deviceID={key} />}
      />
      <Tabs label="Device" tabs={tabs} current={tab} href={address} />
      {tab === 'activity' && <SetAsideNotice device={device} />}
      {tab === 'activity' && <WarningNotices device={device} />}
      {tab === 'activity' && <Activity device={device} />}
      {tab === 'activity' && <TalkgroupsOfDevice deviceID={key} />}
      {tab === 'timeline' && <LazyTimeline deviceID={key} />}
      {tab === 'health' && <HealthTab device={device} />}
      {tab === 'log' && <DeviceLog device={device} />}
      {tab === 'presets' && <PresetsOfDevice deviceID={key} />}
      {tab === 'settings' && <LazySettings deviceID={key} />}
    </>
  );
}
