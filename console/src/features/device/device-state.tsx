import type { Device } from '@earshot/contract/device';
import { Badge } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';

/** A device that is offline for longer than this is silent and needs attention. */
const silentAfterMs = 24 * 3_600_000;

function isSilent({ online, lastHeardFromDate, creationDate }: Device, now: number): boolean {
  const last = lastHeardFromDate ?? creationDate;
  return !online && last !== undefined && now - new Date(last).getTime() > silentAfterMs;
}

export function DeviceState({ device }: { readonly device: Device }) {
  const { online, lastHeardFromDate } = device;
  if (online) return <Badge tone="good">Online</Badge>;
  if (!lastHeardFromDate) return <Badge tone="idle">No agent yet</Badge>;
  return <Badge tone={isSilent(device, Date.now()) ? 'bad' : 'idle'}>Offline</Badge>;
}

export function LastHeard({ device }: { readonly device: Device }) {
  const { online, lastHeardFromDate, timeZone } = device;
  if (online || !lastHeardFromDate) return null;
  return (
    <span class="quiet">
      last contact <Time date={lastHeardFromDate} zone={timeZone} />
    </span>
  );
}
