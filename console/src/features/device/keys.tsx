import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { useState } from 'preact/hooks';
import { api, explain } from '../../app/api.ts';
import { WhenLoaded } from '../../app/loaded.tsx';
import { refresh, useQuery } from '../../app/query.ts';
import { say } from '../../app/toasts.ts';
import { Empty, Section } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { KeyRow } from '../api-key/row.tsx';
import { ConnectDevice } from './connect.tsx';
import { keysOf, nameOf } from './data.ts';

/** API keys of this device. */
export function DeviceKeys({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const keys = useQuery(keysOf(deviceID));
  const [made, setMade] = useState<APIKey | undefined>();
  const make = async () => {
    try {
      setMade(await api.createDeviceKey({ params: { deviceID } }));
      refresh(['device keys', 'keys']);
    } catch (error) {
      say(explain(error), { tone: 'bad' });
    }
  };
  const makeButton = (
    <Button small icon="add" onClick={() => void make()}>
      Create key
    </Button>
  );
  return (
    <Section title="Device keys" action={makeButton}>
      <WhenLoaded from={keys} rows={1}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No keys yet">
              A device key gives access to this device only. If it is stolen, other devices are not affected.
            </Empty>
          ) : (
            <ul class="rows">
              {list.map((key) => (
                <KeyRow key={key.key} apiKey={key} />
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
