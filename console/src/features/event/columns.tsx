import type { TableColumn } from '../../lib/table/column.ts';
import { Progress, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { EventStateBadge, isInProgress, stateOf } from './event-state.tsx';
import type { KeyedEvent } from './lists.ts';
import { hasEnded } from './progress.ts';
import { readableName } from './readable-name.ts';

const typeOf = ({ eventType }: KeyedEvent): string => readableName(eventType);

function EventProgress({ event }: { readonly event: KeyedEvent }) {
  if (!isInProgress(event)) return <EventStateBadge event={event} />;
  return <Progress value={event.percentComplete ?? 0} label={`Progress of ${typeOf(event)}`} />;
}

function EventName({ event }: { readonly event: KeyedEvent }) {
  return (
    <a href={`/events/${event.key}`} tabIndex={-1}>
      <UserText text={typeOf(event)} />
    </a>
  );
}

export const eventTableColumns: readonly TableColumn<KeyedEvent>[] = [
  {
    name: 'type',
    label: 'Event',
    width: 'minmax(10rem, 1.2fr)',
    isFixed: true,
    cell: (event) => <EventName event={event} />,
    text: typeOf,
  },
  {
    name: 'device',
    label: 'Device',
    width: 'minmax(9rem, 1.2fr)',
    cell: ({ deviceID, deviceName }) => (
      <a href={`/devices/${deviceID}`} tabIndex={-1}>
        <UserText text={deviceName} />
      </a>
    ),
    text: ({ deviceName = '' }) => deviceName,
  },
  {
    name: 'state',
    label: 'State',
    width: '9rem',
    cell: (event) => <EventProgress event={event} />,
    text: (event) => stateOf(event).text,
  },
  {
    name: 'created',
    label: 'Created',
    sort: 'creationDate',
    isLargestFirst: true,
    width: 'minmax(7rem, 0.6fr)',
    cell: ({ creationDate }) => creationDate && <Time date={creationDate} />,
    text: ({ creationDate = '' }) => creationDate,
  },
  {
    name: 'result',
    label: 'Result',
    width: 'minmax(10rem, 2fr)',
    cell: ({ result }) => <UserText text={result} />,
    text: ({ result = '' }) => result,
  },
  {
    name: 'attempts',
    label: 'Attempts',
    isNumber: true,
    width: '5rem',
    cell: ({ attemptNumber = 0, maxAttempts = 1 }) => `${attemptNumber} of ${maxAttempts}`,
    text: ({ attemptNumber = 0 }) => String(attemptNumber),
  },
  {
    name: 'priority',
    label: 'Priority',
    isNumber: true,
    isHidden: true,
    width: '5rem',
    cell: ({ priority = 0 }) => priority,
    text: ({ priority = 0 }) => String(priority),
  },
  {
    name: 'agent',
    label: 'Agent',
    isHidden: true,
    width: 'minmax(7rem, 0.8fr)',
    cell: ({ agentType, version }) => <UserText text={[agentType, version].filter(Boolean).join(' ')} />,
    text: ({ agentType = '' }) => agentType,
  },
];

/** The two lines of an event on a phone. */
export function EventLines({ event }: { readonly event: KeyedEvent }) {
  return (
    <>
      <span>
        <EventName event={event} />
        <EventProgress event={event} />
      </span>
      <span>
        <UserText text={event.deviceName} />
        {event.creationDate && <Time date={event.creationDate} />}
        {hasEnded(event) && event.result && <UserText text={event.result} />}
      </span>
    </>
  );
}
