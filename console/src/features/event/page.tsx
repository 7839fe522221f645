import type { Event } from '@earshot/contract/event';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { UserText, PageHead, Progress, Section } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { nameOf, oneDevice } from '../device/public.ts';
import type { ShownPostback, Transition } from './data.ts';
import { historyOf, postbacksOf, eventTypes, oneEvent } from './data.ts';
import { readableName } from './readable-name.ts';
import { Download, fileOf } from './download.tsx';
import { EventAction } from './event-action.tsx';
import { EventStateBadge, isInProgress, stateName } from './event-state.tsx';

export function EventView({ id }: PageProps) {
  const event = useQuery(oneEvent(id));
  return <WhenLoaded from={event}>{(data) => <EventDetail event={data} />}</WhenLoaded>;
}

function EventDetail({ event }: { readonly event: Event }) {
  const { key = 0, deviceID = 0, eventTypeID } = event;
  const { data: device } = useQuery(oneDevice(deviceID));
  const { data: types = [] } = useQuery(eventTypes);
  const title = readableName(types.find((type) => type.key === eventTypeID)?.eventTypeName) || `Event ${key}`;
  const named = device ? { ...event, deviceName: nameOf(device) } : event;
  return (
    <>
      <PageHead
        back={{ href: '/events', label: 'Events' }}
        title={title}
        under={
          <>
            <EventStateBadge event={event} />
            <a href={`/devices/${deviceID}`}>
              <UserText text={device ? nameOf(device) : `Device ${deviceID}`} />
            </a>
            {event.creationDate && <Time date={event.creationDate} zone={device?.timeZone} />}
          </>
        }
        actions={<EventAction event={named} title={title} withLabel />}
      />
      {isInProgress(event) && (
        <div class="card padded big-progress">
          <Progress value={event.percentComplete ?? 0} label={`Progress of ${title}`} />
        </div>
      )}
      <div class="columns">
        <History eventID={key} zone={device?.timeZone} />
        <div>
          <Facts event={event} />
          <Postbacks eventID={key} />
        </div>
      </div>
    </>
  );
}

function History({ eventID, zone }: { readonly eventID: number; readonly zone: string | undefined }) {
  const history = useQuery(historyOf(eventID));
  return (
    <Section title="History">
      <WhenLoaded from={history}>
        {(steps) => (
          <ol class="steps">
            {steps.map((step, index) => (
              <Step key={index} step={step} zone={zone} />
            ))}
          </ol>
        )}
      </WhenLoaded>
    </Section>
  );
}

/** Causes that say more than the state does. Other causes repeat the state and are not shown. */
const causeTexts: Readonly<Record<string, string>> = {
  'lease lost': 'the agent stopped reporting',
  'process replaced': 'the agent restarted',
};

function Step({ step, zone }: { readonly step: Transition; readonly zone: string | undefined }) {
  return (
    <li class="step">
      <p class="step-head">
        <strong>{stateName(step.toStatus)}</strong>
        <span class="quiet">{[causeTexts[step.cause ?? ''], attemptText(step)].filter(Boolean).join(', ')}</span>
        {step.date && <Time date={step.date} zone={zone} />}
      </p>
      {step.result && (
        <p class="step-text" dir="auto">
          {step.result}
        </p>
      )}
    </li>
  );
}

const attemptText = ({ attemptNumber = 1 }: Transition): string =>
  attemptNumber > 1 ? `attempt ${attemptNumber}` : '';

function Facts({ event }: { readonly event: Event }) {
  const facts: readonly (readonly [name: string, text: string | number | undefined])[] = [
    ['ID', event.key],
    ['Runs on', event.serverEvent === 1 ? 'Server' : 'Device'],
    ['Priority', event.priority],
    ['Attempts', `${event.attemptNumber ?? 0} of ${event.maxAttempts ?? 1}`],
    ['Tag', [event.tagString, event.tagNumber].filter(Boolean).join(' ') || undefined],
  ];
  const fileID = fileOf(event);
  return (
    <Section title="Details" action={fileID !== undefined && <Download fileID={fileID} />}>
      <dl class="facts">
        {facts.map(([name, text]) =>
          text === undefined ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd dir="auto">{text}</dd>
            </div>
          ),
        )}
      </dl>
      <TextBlock label="Parameters" text={pretty(event.eventParameters)} />
      {event.result && <TextBlock label="Result" text={event.result} />}
    </Section>
  );
}

function TextBlock({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="text-block">
      <h3>{label}</h3>
      <pre dir="auto" tabIndex={0} aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

function pretty(text = '{}'): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function Postbacks({ eventID }: { readonly eventID: number }) {
  const { data = [] } = useQuery(postbacksOf(eventID));
  if (data.length === 0) return null;
  return (
    <Section title="Postbacks">
      <ul class="rows">
        {data.map((postback) => (
          <PostbackRow key={postback.key} postback={postback} />
        ))}
      </ul>
    </Section>
  );
}

function PostbackRow({ postback }: { readonly postback: ShownPostback }) {
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">{postback.url}</span>
          <span class="row-under">
            <span>{postback.state}</span>
            <span>{postback.attempts === 1 ? '1 attempt' : `${postback.attempts} attempts`}</span>
            {postback.lastError && <UserText text={postback.lastError} />}
          </span>
        </span>
      </div>
    </li>
  );
}
