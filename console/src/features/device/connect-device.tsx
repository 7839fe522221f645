import type { APIKey } from '@earshot/contract/api-key';
import type { Device } from '@earshot/contract/device';
import { useQuery } from '../../lib/query.ts';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Badge } from '../../lib/ui/elements.tsx';
import { oneDevice } from './data.ts';

/** Quotes text for a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const jsonHeader = `-H 'content-type: application/json'`;

interface ConnectProps {
  readonly device: Device;
  readonly credential: APIKey;
}

/** The commands that connect the device, and whether it is online. */
export function ConnectDevice({ device, credential }: ConnectProps) {
  const { data: now = device } = useQuery(oneDevice(device.key ?? 0));
  const { accessKey = '', secretKey = '' } = credential;
  const user = `-u ${quoted(`${accessKey}:${secretKey}`)}`;
  const agent = { deviceSerial: device.deviceSerial, agentType: 'Audio', agentVersion: '1.0' };
  const clip = [{ startTime: Math.floor(Date.now() / 1_000) - 60, clipLengthInSeconds: 60 }];
  const post = (path: string, body: unknown) =>
    [`curl ${location.origin}${path}`, user, jsonHeader, `-d ${quoted(JSON.stringify(body))}`].join(' \\\n  ');
  return (
    <div class="stack">
      <p>
        This key gives access to this device only. <strong>Copy it now: the secret is not shown again.</strong>
      </p>
      <CopyField label="1. On the device, register its agent" text={post('/v1/agent', agent)} multiline />
      <CopyField
        label="2. Announce a recorded clip"
        text={post(`/v1/audioclip/createlist/${device.deviceSerial}`, clip)}
        multiline
      />
      <p class="waiting" role="status">
        {now.online ? (
          <Badge tone="good">The device is online.</Badge>
        ) : (
          <Badge tone="busy">Waiting for the first contact…</Badge>
        )}
      </p>
    </div>
  );
}
