import type { Device } from '@earshot/contract/device';
import { shortTextLength } from '@earshot/contract/values';
import { signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { randomSerial } from '../../lib/random-serial.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { nameOf } from '../device/public.ts';
import { mayWrite } from '../right/public.ts';

const newDevice = 'new';
const lastDeviceKey = 'earshot-upload-device';
const firstName = 'My recordings';

/** The key of a device as text, or `new`. */
const chosen = signal('');
const newName = signal(firstName);
const problem = signal('');

interface UploadDeviceProps {
  readonly devices: readonly Device[];
}

/** The device that the recordings belong to; a new one can be made. */
export function UploadDevice({ devices }: UploadDeviceProps) {
  const writable = devices.filter(({ key }) => mayWrite(key));
  const id = useId();
  useEffect(() => {
    if (chosen.peek() !== '') return;
    const last = localStorage.getItem(lastDeviceKey) ?? '';
    if (writable.some(({ key }) => String(key) === last)) chosen.value = last;
    else if (writable.length <= 1) chosen.value = writable[0] ? String(writable[0].key) : newDevice;
  }, [writable.length]);
  const options = [
    ...(chosen.value === '' ? [{ value: '', label: 'Choose a device' }] : []),
    ...writable.map((device) => ({ value: String(device.key), label: nameOf(device) })),
    { value: newDevice, label: 'A new device…' },
  ];
  return (
    <>
      <FilterSelect
        label="Recorded by"
        value={chosen.value}
        options={options}
        onChange={(value) => {
          chosen.value = value;
          problem.value = '';
        }}
      />
      {chosen.value === newDevice && (
        <label class="filter" for={id}>
          <span>Name of the new device</span>
          <input
            id={id}
            class="input"
            value={newName.value}
            maxLength={shortTextLength}
            dir="auto"
            onInput={({ currentTarget }) => (newName.value = currentTarget.value)}
          />
        </label>
      )}
      <p class="problem" role="alert" hidden={problem.value === ''}>
        {problem.value}
      </p>
    </>
  );
}

/** Whether a device is chosen; otherwise says so. */
export function requireChosenDevice(): boolean {
  const isChosen = chosen.peek() === newDevice ? newName.peek().trim() !== '' : chosen.peek() !== '';
  problem.value = isChosen ? '' : 'Choose who recorded these files first.';
  return isChosen;
}

/** The key of the chosen device, which is made first if it is a new one. */
export async function chosenDeviceID(): Promise<number> {
  if (chosen.peek() === newDevice) chosen.value = String(await addRecordingDevice(newName.peek().trim()));
  localStorage.setItem(lastDeviceKey, chosen.peek());
  return Number(chosen.peek());
}

/** A device for recordings that people add by hand. */
export async function addRecordingDevice(deviceName: string): Promise<number> {
  const deviceSerial = randomSerial('uploads');
  const { key = 0 } = await api.createDevice({ body: { deviceSerial, deviceName, timeZone: viewerZone() } });
  refresh(['devices']);
  return key;
}
