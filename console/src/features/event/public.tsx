import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import { errorMessage } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText, Progress, type Tone } from '../../lib/ui/elements.tsx';
import { Icon, type IconName } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { mayWrite } from '../right/public.ts';
import { requestCancel, sendAgain } from './data.ts';
import { EventFields } from './event-fields.tsx';
import { type EventDraft, hasEnded, readableName, type ListedEvent } from './public.ts';
import { SendDialog } from './send-dialog.tsx';

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

interface EventActionProps {
  readonly event: ListedEvent;
  readonly title: string;
  readonly withLabel?: boolean;
}

export function EventAction({ event, title, withLabel = false }: EventActionProps) {
  const label = `${title}, ${event.deviceName ?? `event ${event.key}`}`;
  if (isDeferred(`event ${event.key}`) || !mayWrite(event.deviceID)) return null;
  const again = () =>
    void sendAgain(event, title).catch((error: unknown) => showToast(errorMessage(error), { tone: 'bad' }));
  if (hasEnded(event)) {
    return (
      <Button
        small={!withLabel}
        kind={withLabel ? 'plain' : 'quiet'}
        icon="repeat"
        label={`Send again: ${label}`}
        onClick={again}
      >
        {withLabel ? 'Send again' : undefined}
      </Button>
    );
  }
  const cancel = () => requestCancel(event, title);
  return (
    <Button
      small={!withLabel}
      kind={withLabel ? 'plain' : 'quiet'}
      icon="close"
      label={`Cancel ${label}`}
      onClick={cancel}
    >
      {withLabel ? 'Cancel' : undefined}
    </Button>
  );
}

interface SendEventProps {
  /** 0: the user chooses devices. */
  readonly deviceID: number;
  readonly onClose: () => void;
}

export const SendEventDialog = (props: SendEventProps) => <SendDialog {...props} />;

interface SavedEventProps {
  readonly draft: EventDraft;
  readonly onChange: (draft: EventDraft) => void;
}

/** The type and the parameters of an event, for forms that save one for later. */
export const SavedEventFields = (props: SavedEventProps) => <EventFields {...props} />;

/** The ID of the file in the result of an event, if there is one. */
export function fileOf({ result = '' }: Event): number | undefined {
  try {
    const { fileID } = JSON.parse(result) as { readonly fileID?: unknown };
    return typeof fileID === 'number' ? fileID : undefined;
  } catch {
    return undefined;
  }
}

export const Download = ({ fileID }: { readonly fileID: number }) => (
  <a class="button primary small" href={`/v1/file/${fileID}/content`} download="">
    <Icon name="download" />
    <span>Download</span>
  </a>
);
