import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { useState } from 'preact/hooks';
import { api, errorMessage } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { KeyRow } from '../api-key/public.tsx';
import { nameOf } from '../device/public.ts';
import { ConnectDevice } from '../device/public.tsx';
import { InstallButton } from '../installation/public.tsx';
import { keysOf } from './data.ts';

/** API keys of this device. */
export function DeviceKeys({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const keys = useQuery(keysOf(deviceID));
  const [made, setMade] = useState<APIKey | undefined>();
  const make = async (isWriteOnly: boolean) => {
    try {
      setMade(await api.createDeviceKey({ params: { deviceID }, body: { isWriteOnly } }));
      refresh(['device keys', 'keys']);
    } catch (error) {
      showToast(errorMessage(error), { tone: 'bad' });
    }
  };
  const makeButton = (
    <span class="section-actions">
      <InstallButton device={device} />
      <Button small icon="add" onClick={() => void make(true)}>
        Create key
      </Button>
      <Button small onClick={() => void make(false)}>
        Create key that can read
      </Button>
    </span>
  );
  return (
    <Section title="Device keys" action={makeButton}>
      <WhenLoaded from={keys} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No keys yet">
              A device key gives access to this device only. If it is stolen, other devices are not affected. A key is
              write-only: it uploads and reports, but reads no recordings, unless you create one that can read.
            </Empty>
          ) : (
            <ul class="rows">
              {list.map((key) => (
                <KeyRow key={key.key} apiKey={key} isWriteOnly={key.isWriteOnly} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {made && (
        <Dialog title={`Connect ${nameOf(device)}`} onClose={() => setMade(undefined)}>
          <ConnectDevice device={device} credential={made} />
        </Dialog>
      )}
    </Section>
  );
}
