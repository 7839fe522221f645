import type { DeviceGuide } from '@earshot/contract/device-guides';
import { deviceGuides } from '@earshot/contract/device-guides';
import { recorderGuides } from '@earshot/contract/recorder-guides';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { refresh } from '../../lib/query.ts';
import { randomSerial } from '../../lib/random-serial.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { PageHead } from '../../lib/ui/elements.tsx';
import { Choice } from '../../lib/ui/tabs.tsx';
import { FilePicker } from '../upload/public.tsx';
import { GuideText, RecorderSettings } from '../upload-key/public.tsx';
import { AddressField, serverAddress } from './address-field.tsx';
import { FirstSound } from './first-sound.tsx';
import { InstallRecorder } from './install-recorder.tsx';
import { MakeKey } from './make-key.tsx';

/** Only the names of the guides; their texts need a key. */
const radioGuides = recorderGuides({ origin: '', secret: '' }).filter(({ id }) => id !== 'curl');
const ways = [
  { value: 'linux', label: 'Linux' },
  ...radioGuides.map(({ id, name }) => ({ value: id, label: name })),
  { value: 'audiomoth', label: 'AudioMoth files' },
  { value: 'curl', label: 'curl' },
];

export function ConnectPage() {
  const asked = currentLocation.value.query.get('with') ?? '';
  const way = ways.some(({ value }) => value === asked) ? asked : 'linux';
  return (
    <>
      <PageHead title="Connect a recorder" back={{ href: '/', label: 'Overview' }} />
      <div class="connect-ways">
        <Choice label="Recorder" options={ways} value={way} onChange={(value) => setQuery({ with: value })} />
      </div>
      <div class="card padded stack connect" key={way}>
        {way === 'audiomoth' ? (
          <AudioMoth />
        ) : way === 'linux' ? (
          <InstallRecorder>
            <WithKey way={way} />
          </InstallRecorder>
        ) : (
          <WithKey way={way} />
        )}
      </div>
      {way !== 'audiomoth' && <FirstSound isNewOnly />}
    </>
  );
}

function AudioMoth() {
  return (
    <>
      <p>
        Put the card of the AudioMoth into this computer, and drop its folder here. The start of each recording is read
        from the file.
      </p>
      <FilePicker />
    </>
  );
}

function WithKey({ way }: { readonly way: string }) {
  const isDevice = way === 'linux' || way === 'curl';
  return (
    <>
      <AddressField />
      {isDevice ? <DeviceCommand id={way} /> : <RadioSettings id={way} />}
    </>
  );
}

interface DeviceKey {
  readonly accessKey: string;
  readonly secretKey: string;
}

function DeviceCommand({ id }: { readonly id: DeviceGuide['id'] }) {
  const [made, setMade] = useState<DeviceKey | undefined>();
  const make = async (deviceName: string) => {
    const deviceSerial = randomSerial('recorder');
    const device = await api.createDevice({ body: { deviceSerial, deviceName, timeZone: viewerZone() } });
    refresh(['devices']);
    const { accessKey = '', secretKey = '' } = await api.createDeviceKey({
      params: { deviceID: device.key ?? 0 },
      body: { isWriteOnly: true },
    });
    setMade({ accessKey, secretKey });
  };
  const guide = made && deviceGuides({ origin: serverAddress.value, ...made }).find((one) => one.id === id);
  if (!guide) return <MakeKey label="Name of the recorder" first="Recorder" submit="Make a key" onMake={make} />;
  return (
    <>
      <GuideText text={guide.steps} />
      <p>
        The key gives access to this device only, and reads no recordings.{' '}
        <strong>Copy it now: it is not shown again.</strong>
      </p>
      <CopyField label="Command" text={guide.command} multiline />
    </>
  );
}

function RadioSettings({ id }: { readonly id: string }) {
  const [secret, setSecret] = useState('');
  const make = async (uploadKeyDescription: string) => {
    const made = await api.createUploadKey({ body: { uploadKeyDescription } });
    setSecret(made.secret ?? '');
    refresh(['upload keys']);
  };
  const guide = recorderGuides({ origin: serverAddress.value, secret }).find((one) => one.id === id);
  if (secret === '' || !guide) {
    return <MakeKey label="Name of the recorder" first={guide?.name ?? ''} submit="Make a key" onMake={make} />;
  }
  return (
    <>
      <p>
        <strong>Copy the key now: it is not shown again.</strong>
      </p>
      <RecorderSettings guide={guide} />
    </>
  );
}
