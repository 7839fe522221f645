import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { serialLength } from '@earshot/contract/device';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { nameOf } from './data.ts';
import { ConnectDevice } from './connect-device.tsx';

interface Added {
  readonly device: Device;
  readonly credential: APIKey;
}

const viewerZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** First asks for the serial; then shows the commands to run on the device and whether it is online. */
export function AddDeviceDialog({ onClose }: { readonly onClose: () => void }) {
  const [added, setAdded] = useState<Added | undefined>();
  const add = async ({ deviceSerial = '', deviceName = '' }: Values) => {
    const name = deviceName === '' ? {} : { deviceName };
    const device = await api.createDevice({ body: { deviceSerial, ...name, timeZone: viewerZone() } });
    refresh(['devices']);
    const credential = await api.createDeviceKey({
      params: { deviceID: device.key ?? 0 },
      body: { isWriteOnly: true },
    });
    setAdded({ device, credential });
  };
  if (added) {
    return (
      <Dialog title={`Connect ${nameOf(added.device)}`} onClose={onClose}>
        <ConnectDevice device={added.device} credential={added.credential} />
        <div class="form-end">
          <LinkButton kind="primary" href={`/devices/${added.device.key}`}>
            Open device
          </LinkButton>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Add a device" onClose={onClose}>
      <ApiForm submit="Add device" onSend={add} onCancel={onClose}>
        <TextField
          name="deviceSerial"
          label="Serial"
          hint="The serial that the device sends: letters, digits, dot, dash or underscore."
          maxLength={serialLength}
          code
          focused
        />
        <TextField name="deviceName" label="Name" hint="For example: North gate" maxLength={shortTextLength} optional />
      </ApiForm>
    </Dialog>
  );
}
