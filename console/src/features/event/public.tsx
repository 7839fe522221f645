import type { Event } from '@earshot/contract/event';
import { eventStatus } from '@earshot/contract/event-status';
import { useState } from 'preact/hooks';
import { api, errorMessage } from '../../lib/api.ts';
import { ApiForm } from '../../lib/api-form.tsx';
import { isDeferred } from '../../lib/deferred.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Badge, UserText, Progress, type Tone } from '../../lib/ui/elements.tsx';
import { SelectField, TextArea } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { Icon, type IconName } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { requestCancel, sendAgain } from './data.ts';
import { eventTypes, hasEnded, readableName, type ListedEvent } from './public.ts';

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
  if (isDeferred(`event ${event.key}`)) return null;
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
  /** 0: the user selects a device. */
  readonly deviceID: number;
  readonly onClose: () => void;
}

export function SendEventDialog({ deviceID, onClose }: SendEventProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const [chosen, setChosen] = useState('');
  const current = types.find(({ eventTypeName }) => eventTypeName === chosen) ?? types[0];
  const send = async ({ device = '', eventType = '', eventParameters = '' }: Values) => {
    const to = deviceID || Number(device);
    await api.createEvent({ body: { deviceID: to, eventType, eventParameters } });
    showToast(`${readableName(eventType)} is queued.`);
    onClose();
  };
  return (
    <Dialog title="Send an event" onClose={onClose}>
      <ApiForm submit="Send" onSend={send} onCancel={onClose}>
        {deviceID === 0 && <DeviceChoice />}
        <SelectField
          name="eventType"
          label="Event type"
          options={types.map(({ eventTypeName = '', agentType = '' }) => ({
            value: eventTypeName,
            label: readableName(eventTypeName),
            group: agentType,
          }))}
          value={current?.eventTypeName ?? ''}
          onChange={setChosen}
          hint={current?.detailedDescription ?? ''}
        />
        <TextArea
          name="eventParameters"
          label="Parameters"
          hint="A JSON object that the agent receives."
          value="{}"
          code
          optional
        />
      </ApiForm>
    </Dialog>
  );
}

export function DeviceChoice() {
  const { data: devices = [] } = useQuery(allDevices);
  return (
    <SelectField
      name="device"
      label="Device"
      options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
      {...(devices[0] ? { value: String(devices[0].key) } : {})}
    />
  );
}

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
