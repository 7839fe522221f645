import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { allDevices } from '../device/public.ts';
import { shownBatches } from './batches.ts';
import type { UploadItem } from './item.ts';
import { isStarted } from './item.ts';
import { mustChooseDevice, uploadDeviceID } from './state.ts';
import { UploadDevice } from './upload-device.tsx';
import { ZoneQuestion } from './zone-question.tsx';

interface UploadSettingsProps {
  readonly items: readonly UploadItem[];
}

/** What must be known before files are sent: their device, and the zone of times that name none. */
export function UploadSettings({ items }: UploadSettingsProps) {
  const devices = useQuery(allDevices);
  return (
    <>
      <WhenLoaded from={devices} rows={1}>
        {(list) => (
          <div class="upload-settings">
            <UploadDevice devices={list} />
            <p class="hint">{hintFor(items, list.length)}</p>
          </div>
        )}
      </WhenLoaded>
      <ZoneQuestion items={items} />
    </>
  );
}

function hintFor(items: readonly UploadItem[], deviceCount: number): string {
  if (deviceCount === 0) return 'Recordings belong to a device. The upload begins when you have created one.';
  if (mustChooseDevice.value) return 'Choose the right device. The files are then uploaded again.';
  if (uploadDeviceID.value === undefined) return 'The upload begins when the device is known.';
  const isRunning = shownBatches(items).some((batch) => batch.items.some(isStarted));
  if (isRunning) return 'For the next files. To give files that have started another device or time zone, undo.';
  return 'Files that you add are uploaded at once.';
}
