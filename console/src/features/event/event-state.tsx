import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import { isDeferred } from '../../lib/deferred.ts';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge } from '../../lib/ui/elements.tsx';
import type { IconName } from '../../lib/ui/icon.tsx';

interface EventState {
  readonly text: string;
  readonly tone: Tone;
  readonly icon: IconName;
}

const pending: EventState = { text: 'Queued', tone: 'idle', icon: 'event' };

const states: Readonly<Record<number, EventState>> = {
  [eventStatus.pending]: pending,
  [eventStatus.checkedOut]: { text: 'Taken', tone: 'busy', icon: 'event' },
  [eventStatus.processing]: { text: 'In progress', tone: 'busy', icon: 'event' },
  [eventStatus.complete]: { text: 'Complete', tone: 'good', icon: 'check' },
  [eventStatus.error]: { text: 'Failed', tone: 'bad', icon: 'alert' },
  [eventStatus.timedOut]: { text: 'Timed out', tone: 'bad', icon: 'alert' },
  [eventStatus.cancelled]: { text: 'Cancelled', tone: 'idle', icon: 'close' },
};

export const stateName = (status: number | undefined): string =>
  states[status ?? eventStatus.pending]?.text ?? 'Unknown';

export const stateOf = (event: Event): EventState =>
  states[isDeferred(`event ${event.key}`) ? eventStatus.cancelled : (event.eventStatus ?? eventStatus.pending)] ??
  pending;

export function EventStateBadge({ event }: { readonly event: Event }) {
  const { text, tone } = stateOf(event);
  return <Badge tone={tone}>{text}</Badge>;
}

/** Whether the event is in progress. A progress bar is then shown instead of the state. */
export const isInProgress = (event: Event): boolean =>
  event.eventStatus === eventStatus.processing && !isDeferred(`event ${event.key}`);
