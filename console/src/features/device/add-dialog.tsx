import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { serialLength } from '@earshot/contract/device';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { api } from '../../app/api.ts';
import { ApiForm } from '../../app/api-form.tsx';
import { refresh } from '../../app/query.ts';
import { LinkButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import type { Values } from '../../ui/form.tsx';
import { ConnectDevice } from './connect.tsx';
import { nameOf } from './data.ts';

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
    const credential = await api.createDeviceKey({ params: { deviceID: device.key ?? 0 } });
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
