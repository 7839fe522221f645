import { useSignal } from '@preact/signals';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { allDevices } from '../device/public.ts';
import { UploadDevice } from './upload-device.tsx';
import type { UploadItem } from './item.ts';
import { recordingZone } from './state.ts';

interface UploadSettingsProps {
  readonly items: readonly UploadItem[];
}

/** The device of the recordings, and the zone of times that name none. */
export function UploadSettings({ items }: UploadSettingsProps) {
  const devices = useQuery(allDevices);
  const zones = useSignal(zoneOptions());
  const isZoneAsked = items.some(({ isZoneKnown, state }) => isZoneKnown === false && state === 'ready');
  if (!items.some(({ state }) => state === 'ready' || state === 'reading')) return null;
  return (
    <div class="upload-settings">
      <WhenLoaded from={devices} rows={1}>
        {(list) => <UploadDevice devices={list} />}
      </WhenLoaded>
      {isZoneAsked && (
        <FilterSelect
          label="The recorder's clock shows the time of"
          value={recordingZone.value}
          options={zones.value}
          onChange={(zone) => (recordingZone.value = zone)}
        />
      )}
    </div>
  );
}

/** The viewer's zone and UTC first: recorders are mostly set to one of them. */
function zoneOptions() {
  const first = [...new Set([viewerZone(), 'UTC'])];
  const all = Intl.supportedValuesOf('timeZone').filter((zone) => !first.includes(zone));
  return [...first, ...all].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
