import type { Device } from '@earshot/contract/device';
import type { InstallationCode } from '@earshot/contract/installation';
import { codeMinutes } from '@earshot/contract/installation';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { nameOf } from '../device/public.ts';
import { installationState } from './data.ts';
import { InstallSteps, CannotInstall } from './install-steps.tsx';

/** Makes a code for a device that exists, and shows how it is used. */
export function InstallButton({ device }: { readonly device: Device }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button small icon="download" onClick={() => setOpen(true)}>
        Install agent
      </Button>
      {isOpen && (
        <Dialog title={`Install the agent on ${nameOf(device)}`} onClose={() => setOpen(false)}>
          <InstallOn device={device} />
        </Dialog>
      )}
    </>
  );
}

function InstallOn({ device }: { readonly device: Device }) {
  const state = useQuery(installationState);
  const [code, setCode] = useState<InstallationCode | undefined>();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    setBusy(true);
    await attempt(async () => setCode(await api.createInstallationCode({ params: { deviceID: device.key ?? 0 } })));
    setBusy(false);
  };
  return (
    <WhenLoaded from={state} rows={2}>
      {({ installURL, unavailableBecause = '' }) =>
        installURL === undefined ? (
          <CannotInstall because={unavailableBecause} />
        ) : code ? (
          <InstallSteps device={device} installURL={installURL} code={code} />
        ) : (
          <div class="stack">
            <p>
              A line installs the agent on the device, or connects the device again. It asks for a code, which is valid
              for {codeMinutes} minutes and gives a new key for this device only. Keys that exist stay valid.
            </p>
            <div class="form-end">
              <Button kind="primary" busy={busy} onClick={() => void make()}>
                Make a code
              </Button>
            </div>
          </div>
        )
      }
    </WhenLoaded>
  );
}
