import type { Device } from '@earshot/contract/device';
import { shortTextLength } from '@earshot/contract/values';
import { createUpload } from '@earshot/contract/upload';
import { useSignal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { refresh } from '../../lib/query.ts';
import { randomSerial } from '../../lib/random-serial.ts';
import { Button } from '../../lib/ui/button.tsx';
import { viewerZone } from '../../lib/ui/clock.ts';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { nameOf } from '../device/public.ts';
import { may } from '../right/public.ts';
import { chooseDevice } from './queue.ts';
import { mustChooseDevice, uploadDeviceID } from './state.ts';

const newDevice = 'new';
const lastDeviceKey = 'earshot-upload-device';
const firstName = 'My recordings';

function choose(deviceID: number): void {
  localStorage.setItem(lastDeviceKey, String(deviceID));
  chooseDevice(deviceID);
}

interface UploadDeviceProps {
  readonly devices: readonly Device[];
}

/** The device that recorded the files. To choose it starts the upload, so the list commits only on a click or Enter. */
export function UploadDevice({ devices }: UploadDeviceProps) {
  const writable = devices.filter(({ key }) => may(createUpload, { deviceID: key }));
  const isNew = useSignal(false);
  const chosenID = uploadDeviceID.value;
  useEffect(() => {
    const isGone = !devices.some(({ key }) => key === uploadDeviceID.peek());
    if (devices.length > 0 && isGone) uploadDeviceID.value = undefined;
  }, [devices]);
  useEffect(() => {
    if (uploadDeviceID.peek() !== undefined || mustChooseDevice.peek()) return;
    const last = writable.find(({ key }) => String(key) === localStorage.getItem(lastDeviceKey));
    const only = writable.length === 1 ? writable[0] : undefined;
    const { key } = last ?? only ?? {};
    if (key !== undefined) chooseDevice(key);
  }, [writable.length]);
  const chosen = devices.find(({ key }) => key === chosenID);
  const isNaming = isNew.value || devices.length === 0;
  const pick = (value: string) => {
    isNew.value = value === newDevice;
    if (!isNew.peek()) choose(Number(value));
  };
  return (
    <>
      {devices.length > 0 && (
        <div class={chosen || isNaming ? 'filter' : 'filter wanted'}>
          <span class="filter-label" aria-hidden="true">
            Recorded by
          </span>
          <PickList
            label="Recorded by"
            text={isNaming ? 'A new device' : chosen ? nameOf(chosen) : 'Choose a device'}
            value={String(chosenID ?? '')}
            options={[
              ...writable.map((device) => ({ value: String(device.key), label: nameOf(device) })),
              { value: newDevice, label: 'A new device…' },
            ]}
            onPick={pick}
          />
        </div>
      )}
      {isNaming && <NewDevice onMade={() => (isNew.value = false)} />}
    </>
  );
}

/** The name of a new device. To create it chooses it. */
function NewDevice({ onMade }: { readonly onMade: () => void }) {
  const name = useSignal(firstName);
  const isBusy = useSignal(false);
  const id = useId();
  const create = async (event: Event) => {
    event.preventDefault();
    if (isBusy.peek() || name.peek().trim() === '') return;
    isBusy.value = true;
    await attempt(async () => {
      choose(await addRecordingDevice(name.peek().trim()));
      onMade();
    });
    isBusy.value = false;
  };
  return (
    <form class="new-device" onSubmit={(event) => void create(event)}>
      <label class="filter" for={id}>
        <span class="filter-label">Name of the new device</span>
        <input
          id={id}
          class="input"
          value={name.value}
          maxLength={shortTextLength}
          required
          dir="auto"
          onInput={({ currentTarget }) => (name.value = currentTarget.value)}
        />
      </label>
      <Button kind="primary" type="submit" busy={isBusy.value}>
        Create device
      </Button>
    </form>
  );
}

/** A device for recordings that people add by hand. */
export async function addRecordingDevice(deviceName: string): Promise<number> {
  const deviceSerial = randomSerial('uploads');
  const { key = 0 } = await api.createDevice({ body: { deviceSerial, deviceName, timeZone: viewerZone() } });
  refresh(['devices']);
  return key;
}
