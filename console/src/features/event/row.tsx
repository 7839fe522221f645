import { explain } from '../../app/api.ts';
import { isHeld } from '../../app/held.ts';
import { say } from '../../app/toasts.ts';
import { Given, Progress } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Time } from '../../ui/time.tsx';
import { cancelEvent, hasEnded, inWords, type ListedEvent, sendAgain } from './data.ts';
import { EventStateBadge, isGoing, stateOf } from './state.tsx';

interface EventRowProps {
  readonly event: ListedEvent;
  /** Hides the device name, for the page of a device. */
  readonly withoutDevice?: boolean;
}

export function EventRow({ event, withoutDevice = false }: EventRowProps) {
  const title = inWords(event.eventType);
  const { tone, icon } = stateOf(event);
  return (
    <li class="row event-row">
      <a class="row-link" href={`/events/${event.key}`}>
        <span class={`row-icon ${tone}`}>
          <Icon name={icon} />
        </span>
        <span class="row-main">
          <span class="row-title">
            <Given text={title} />
          </span>
          <span class="row-under">
            {!withoutDevice && <Given text={event.deviceName} />}
            {event.creationDate && <Time date={event.creationDate} />}
            {event.result && hasEnded(event) && <Given text={event.result} />}
          </span>
          {isGoing(event) && <Progress value={event.percentComplete ?? 0} label={`Progress of ${title}`} />}
        </span>
        {!isGoing(event) && (
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

interface EventActionProps {
  readonly event: ListedEvent;
  readonly title: string;
  readonly inWords?: boolean;
}

export function EventAction({ event, title, inWords: says = false }: EventActionProps) {
  const label = `${title}, ${event.deviceName ?? `event ${event.key}`}`;
  if (isHeld(`event ${event.key}`)) return null;
  const again = () => void sendAgain(event, title).catch((error: unknown) => say(explain(error), { tone: 'bad' }));
  if (hasEnded(event)) {
    return (
      <Button
        small={!says}
        kind={says ? 'plain' : 'quiet'}
        icon="repeat"
        label={`Send again: ${label}`}
        onClick={again}
      >
        {says ? 'Send again' : undefined}
      </Button>
    );
  }
  const cancel = () => cancelEvent(event, title);
  return (
    <Button small={!says} kind={says ? 'plain' : 'quiet'} icon="close" label={`Cancel ${label}`} onClick={cancel}>
      {says ? 'Cancel' : undefined}
    </Button>
  );
}
