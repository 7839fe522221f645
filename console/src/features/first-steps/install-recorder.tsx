import type { Device } from '@earshot/contract/device';
import type { InstallationCode } from '@earshot/contract/installation';
import { shortTextLength } from '@earshot/contract/values';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { randomSerial } from '../../lib/random-serial.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { installationState } from '../installation/public.ts';
import { CannotInstall, InstallSteps } from '../installation/public.tsx';

interface Made {
  readonly device: Device;
  readonly code: InstallationCode;
}

interface InstallRecorderProps {
  /** What to do without the agent. */
  readonly children: ComponentChildren;
}

/** Installs the agent on a Linux device, a new one or one that exists. */
export function InstallRecorder({ children }: InstallRecorderProps) {
  const state = useQuery(installationState);
  const [made, setMade] = useState<Made | undefined>();
  return (
    <WhenLoaded from={state} rows={2}>
      {({ installURL, unavailableBecause = '' }) =>
        installURL === undefined ? (
          <>
            <CannotInstall because={unavailableBecause} />
            {children}
          </>
        ) : made ? (
          <InstallSteps device={made.device} installURL={installURL} code={made.code} />
        ) : (
          <>
            <p>One line installs the agent: it records or watches a folder, and updates itself from this server.</p>
            <ChooseDevice onMade={setMade} />
            <details class="other-way">
              <summary>Without the agent</summary>
              <div class="stack">{children}</div>
            </details>
          </>
        )
      }
    </WhenLoaded>
  );
}

function ChooseDevice({ onMade }: { readonly onMade: (made: Made) => void }) {
  const { data: devices = [] } = useQuery(allDevices);
  const [chosen, setChosen] = useState('');
  const make = async ({ name = '' }: Values) => {
    const existing = devices.find(({ key }) => String(key) === chosen);
    const device = existing ?? (await addDevice(name));
    const code = await api.createInstallationCode({ params: { deviceID: device.key ?? 0 } });
    onMade({ device, code });
  };
  const options = [
    { value: '', label: 'A new recorder' },
    ...devices.map((device) => ({ value: String(device.key), label: nameOf(device), group: 'Your devices' })),
  ];
  return (
    <ApiForm submit="Make a code" onSend={make}>
      {devices.length > 0 && (
        <SelectField name="device" label="Recorder" options={options} value={chosen} onChange={setChosen} optional />
      )}
      {chosen === '' && (
        <TextField name="name" label="Name of the recorder" value="Recorder" maxLength={shortTextLength} />
      )}
    </ApiForm>
  );
}

async function addDevice(deviceName: string): Promise<Device> {
  const deviceSerial = randomSerial('recorder');
  const device = await api.createDevice({ body: { deviceSerial, deviceName, timeZone: viewerZone() } });
  refresh(['devices']);
  return device;
}
