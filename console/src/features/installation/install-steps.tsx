import type { Device } from '@earshot/contract/device';
import type { InstallationCode } from '@earshot/contract/installation';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Badge } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { oneDevice } from '../device/public.ts';
import { installLine } from './data.ts';

interface InstallStepsProps {
  readonly device: Device;
  readonly installURL: string;
  readonly code: InstallationCode;
}

/** The line, the code, and whether the device has come online. */
export function InstallSteps({ device, installURL, code: first }: InstallStepsProps) {
  const { data: now = device } = useQuery(oneDevice(device.key ?? 0));
  const [code, setCode] = useState(first);
  const again = () =>
    attempt(async () => setCode(await api.createInstallationCode({ params: { deviceID: device.key ?? 0 } })));
  return (
    <div class="stack">
      <CopyField label="1. On the device, run this line" text={installLine(installURL)} />
      <CopyField label="2. Type this code when it asks" text={code.code ?? ''} />
      <p class="hint">
        The code works once; it expires <Time date={code.expirationDate ?? ''} />. The device needs Linux, Node 18 or
        newer and curl, and ffmpeg to record sound itself. Run the line as root to install it for the whole device, or
        as an ordinary user.
      </p>
      <p class="waiting" role="status">
        {now.online ? (
          <Badge tone="good">The device is online.</Badge>
        ) : (
          <Badge tone="busy">Waiting for the first contact…</Badge>
        )}
      </p>
      {!now.online && (
        <p>
          <Button small kind="quiet" icon="repeat" onClick={() => void again()}>
            Make another code
          </Button>
        </p>
      )}
    </div>
  );
}

/** Shown while the operator has to do something first. */
export function CannotInstall({ because }: { readonly because: string }) {
  return (
    <div class="notice">
      <p>The agent cannot be installed by one line yet. {because}</p>
    </div>
  );
}
