import type { Event } from '@earshot/contract/event';
import { isHeld } from '../../app/held.ts';
import { Badge, type Tone } from '../../ui/bits.tsx';
import type { IconName } from '../../ui/icon.tsx';

interface EventState {
  readonly text: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

const states: Readonly<Record<number, EventState>> = {
  1: { text: 'Waiting', tone: 'idle', icon: 'event' },
  2: { text: 'Taken', tone: 'busy', icon: 'event' },
  3: { text: 'Under way', tone: 'busy', icon: 'event' },
  4: { text: 'Complete', tone: 'good', icon: 'check' },
  5: { text: 'Failed', tone: 'bad', icon: 'alert' },
  6: { text: 'Timed out', tone: 'bad', icon: 'alert' },
  7: { text: 'Cancelled', tone: 'idle', icon: 'close' },
};

export const stateName = (status: number | undefined): string => states[status ?? 1]?.text ?? 'Unknown';

export const stateOf = (event: Event): EventState =>
  states[isHeld(`event ${event.key}`) ? 7 : (event.eventStatus ?? 1)] ?? states[1]!;

export function EventStateBadge({ event }: { readonly event: Event }) {
  const { text, tone } = stateOf(event);
  return <Badge tone={tone}>{text}</Badge>;
}

/** While it goes on, how far it is says more than its state. */
export const isGoing = (event: Event): boolean => event.eventStatus === 3 && !isHeld(`event ${event.key}`);
