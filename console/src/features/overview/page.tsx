import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import type { Device } from '@earshot/contract/device';
import type { ComponentChildren } from 'preact';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { type Loaded, useQuery } from '../../lib/query.ts';
import { LinkButton } from '../../lib/ui/button.tsx';
import { Empty, PageHead, Section } from '../../lib/ui/elements.tsx';
import { newestClips } from '../audio-clip/public.ts';
import { ClipRow } from '../audio-clip/public.tsx';
import { allDevices } from '../device/public.ts';
import {
  type ListedEvent,
  cappedCount,
  eventsInState,
  eventsPerPage,
  mostOpenEvents,
  compareProgress,
} from '../event/public.ts';
import { EventRow } from '../event/public.tsx';
import { Attention } from './attention.tsx';

export function OverviewPage() {
  // All queries run in parallel; the page shows as soon as the devices are loaded.
  const devices = useQuery(allDevices);
  const open = useQuery(eventsInState('open', 0, mostOpenEvents));
  const failed = useQuery(eventsInState('failed', 0, eventsPerPage));
  const clips = useQuery(newestClips(0, 50));
  return (
    <>
      <PageHead title="Overview" />
      <WhenLoaded from={devices} rows={4}>
        {(list) =>
          list.length === 0 ? <FirstSteps /> : <Fleet devices={list} open={open} failed={failed} clips={clips} />
        }
      </WhenLoaded>
    </>
  );
}

function FirstSteps() {
  return (
    <div class="card">
      <Empty
        icon="wave"
        title="No devices yet"
        action={
          <LinkButton kind="primary" icon="add" href="/devices?add=1">
            Add your first device
          </LinkButton>
        }
      >
        Add a device, run the displayed command on it, and see it come online here.
      </Empty>
    </div>
  );
}

interface FleetProps {
  readonly devices: readonly Device[];
  readonly open: Loaded<readonly ListedEvent[]>;
  readonly failed: Loaded<readonly ListedEvent[]>;
  readonly clips: Loaded<readonly AudioClipWithNames[]>;
}

function Fleet({ devices, open, failed, clips }: FleetProps) {
  const online = devices.filter(({ online: isOnline }) => isOnline).length;
  const underWay = (open.data ?? []).toSorted(compareProgress);
  return (
    <>
      <ul class="figures-row" aria-label="Device summary">
        <Figure href="/devices" value={`${online}`} of={`of ${devices.length} devices online`} tone="good">
          <progress class="progress good" value={online} max={devices.length} aria-hidden="true" />
        </Figure>
        <Figure href="/devices?state=offline" value={`${devices.length - online}`} of="offline" />
        <Figure href="/events" value={cappedCount(underWay, mostOpenEvents)} of="in the queue" />
      </ul>
      {failed.data && clips.data && <Attention devices={devices} failed={failed.data} clips={clips.data} />}
      <div class="columns even">
        <Section title="In progress" action={<a href="/events">All events</a>}>
          {underWay.length === 0 ? (
            <Empty title="The queue is empty">Events for devices appear here with their progress.</Empty>
          ) : (
            <ul class="rows" aria-live="polite">
              {underWay.slice(0, 8).map((event) => (
                <EventRow key={event.key} event={event} />
              ))}
            </ul>
          )}
        </Section>
        <RecentClips clips={clips} />
      </div>
    </>
  );
}

interface FigureProps {
  readonly href: string;
  readonly value: string;
  readonly of: string;
  readonly tone?: 'good';
  readonly children?: ComponentChildren;
}

function Figure({ href, value, of, tone, children }: FigureProps) {
  return (
    <li>
      <a class={tone ? `figure ${tone}` : 'figure'} href={href}>
        <span>
          <span class="figure-value">{value}</span> <span class="figure-label">{of}</span>
        </span>
        {children}
      </a>
    </li>
  );
}

function RecentClips({ clips }: Pick<FleetProps, 'clips'>) {
  return (
    <Section title="Recent clips">
      <WhenLoaded from={clips}>
        {(list) =>
          list.length === 0 ? (
            <Empty title="No clips yet">Clips appear here as soon as a device announces them.</Empty>
          ) : (
            <ul class="rows" aria-live="polite">
              {list.slice(0, 8).map((clip) => (
                <ClipRow key={clip.key} clip={clip} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
    </Section>
  );
}
