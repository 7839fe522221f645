import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { Device } from '@earshot/contract/device';
import type { ComponentChildren } from 'preact';
import { UserText, Section } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { uploadFailed } from '../audio-clip/public.ts';
import { nameOf } from '../device/public.ts';
import { isSilent } from '../device/public.tsx';
import { type ListedEvent, readableName, isOfLastDay } from '../event/public.ts';
import { stateName } from '../event/public.tsx';

const mostShown = 5;

interface AttentionProps {
  readonly devices: readonly Device[];
  readonly failed: readonly ListedEvent[];
  readonly clips: readonly AudioClipWithNames[];
}

/** Problems that need attention, or a line that there are none. */
export function Attention({ devices, failed, clips }: AttentionProps) {
  const now = Date.now();
  const silent = devices.filter((device) => isSilent(device, now));
  const recent = failed.filter(isOfLastDay);
  const notUploaded = clips.filter(uploadFailed);
  const lines = [
    ...silent.map((device) => <SilentDevice key={`device ${device.key}`} device={device} />),
    ...recent.map((event) => <FailedEvent key={`event ${event.key}`} event={event} />),
    ...notUploaded.map(({ key, deviceID, deviceName, startTime = 0 }) => (
      <Line key={`clip ${key}`} href={`/devices/${deviceID}`} title={deviceName ?? ''}>
        <span>A clip upload failed</span>
        <Time date={startTime * 1_000} />
      </Line>
    )),
  ];
  if (lines.length === 0) {
    return (
      <p class="all-well" role="status">
        <Icon name="check" />
        No problems: no device is silent, and nothing failed in the last 24 hours.
      </p>
    );
  }
  return (
    <Section title="Needs attention" count={lines.length}>
      <ul class="rows" aria-live="polite">
        {lines.slice(0, mostShown)}
      </ul>
      {lines.length > mostShown && <MoreLines silent={silent.length} failed={recent.length} />}
    </Section>
  );
}

function MoreLines({ silent, failed }: { readonly silent: number; readonly failed: number }) {
  return (
    <p class="rows-more">
      {silent > 0 && <a href="/devices?state=offline">{silent} silent devices</a>}
      {failed > 0 && <a href="/events?status=failed">{failed} failed events</a>}
    </p>
  );
}

function SilentDevice({ device }: { readonly device: Device }) {
  const { key, lastHeardFromDate, timeZone } = device;
  return (
    <Line href={`/devices/${key}`} title={nameOf(device)}>
      {lastHeardFromDate ? (
        <span>
          Silent. Last contact <Time date={lastHeardFromDate} zone={timeZone} />
        </span>
      ) : (
        <span>No contact since it was added</span>
      )}
    </Line>
  );
}

function FailedEvent({ event }: { readonly event: ListedEvent }) {
  const { key, deviceName, eventType, eventStatus, result, creationDate } = event;
  return (
    <Line href={`/events/${key}`} title={`${readableName(eventType)}: ${stateName(eventStatus).toLowerCase()}`}>
      <UserText text={deviceName} />
      {creationDate && <Time date={creationDate} />}
      {result && <UserText text={result} />}
    </Line>
  );
}

interface LineProps {
  readonly href: string;
  readonly title: string;
  readonly children: ComponentChildren;
}

function Line({ href, title, children }: LineProps) {
  return (
    <li class="row">
      <a class="row-link" href={href}>
        <span class="row-icon bad">
          <Icon name="alert" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={title} />
          </span>
          <span class="row-under">{children}</span>
        </span>
        <Icon name="next" />
      </a>
    </li>
  );
}
