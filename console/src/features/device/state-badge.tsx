import type { DeviceStateName } from '@earshot/contract/device-page';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge } from '../../lib/ui/elements.tsx';

export const stateNames: Readonly<Record<DeviceStateName, string>> = {
  online: 'Online',
  sendsRecordings: 'Sends recordings',
  silent: 'Silent',
  neverHeard: 'Never heard',
};

const tones: Readonly<Record<DeviceStateName, Tone>> = {
  online: 'good',
  sendsRecordings: 'good',
  silent: 'bad',
  neverHeard: 'idle',
};

export const StateBadge = ({ state }: { readonly state: DeviceStateName }) => (
  <Badge tone={tones[state]}>{stateNames[state]}</Badge>
);
