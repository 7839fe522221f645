import { UserText, Progress } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { hasEnded } from './progress.ts';
import { readableName } from './readable-name.ts';
import type { ListedEvent } from './lists.ts';
import { stateOf, EventStateBadge, isInProgress } from './event-state.tsx';
import { EventAction } from './event-action.tsx';

interface EventRowProps {
  readonly event: ListedEvent;
  /** Hides the device name, for the page of a device. */
  readonly withoutDevice?: boolean;
}

export function EventRow({ event, withoutDevice = false }: EventRowProps) {
  const title = readableName(event.eventType);
  const { tone, icon } = stateOf(event);
  return (
    <li class="row event-row">
      <a class="row-link" href={`/events/${event.key}`}>
        <span class={`row-icon ${tone}`}>
          <Icon name={icon} />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={title} />
          </span>
          <span class="row-under">
            {!withoutDevice && <UserText text={event.deviceName} />}
            {event.creationDate && <Time date={event.creationDate} />}
            {event.result && hasEnded(event) && <UserText text={event.result} />}
          </span>
          {isInProgress(event) && <Progress value={event.percentComplete ?? 0} label={`Progress of ${title}`} />}
        </span>
        {!isInProgress(event) && (
          <span class="row-facts">
            <EventStateBadge event={event} />
          </span>
        )}
      </a>
      <span class="row-actions">
        <EventAction event={event} title={title} />
      </span>
    </li>
  );
}
