import type { Device } from '@earshot/contract/device';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Loaded } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead, Section } from '../../lib/ui/elements.tsx';
import { newestClips } from '../audio-clip/public.ts';
import { allDevices } from '../device/public.ts';
import type { ListedEvent } from '../event/public.ts';
import { cappedCount, compareProgress, mostOpenEvents, openEvents } from '../event/public.ts';
import { EventRow } from '../event/public.tsx';
import { FirstSteps, SampleNotice } from '../first-steps/public.tsx';
import { Attention } from './attention.tsx';
import { alerts, dayOverview, useTimedReload } from './data.ts';
import { FleetDay } from './fleet.tsx';
import { Heard, HeardPlace } from './heard.tsx';
import { LatestSound } from './latest.tsx';

export function OverviewPage() {
  // All queries run in parallel; the page shows as soon as the devices are loaded.
  const devices = useQuery(allDevices);
  const newest = useQuery(newestClips(0, 1));
  const isEmpty = newest.data?.length === 0;
  const isNew = useStaysEmpty(isEmpty);
  return (
    <>
      <PageHead title="Overview" />
      <SampleNotice />
      <WhenLoaded from={devices} rows={4}>
        {(list) => (
          <>
            {isNew && <FirstSteps />}
            {list.length > 0 && <Fleet devices={list} hasClips={!isEmpty} />}
          </>
        )}
      </WhenLoaded>
    </>
  );
}

const settleMs = 1_000;

/**
 * Whether the fleet is empty, or was while the page is shown: the first steps stay until the page is left, so that
 * people see their sound arrive. Data that is out of date for a moment does not count.
 */
function useStaysEmpty(isEmpty: boolean): boolean {
  const [wasEmpty, setWasEmpty] = useState(false);
  useEffect(() => {
    if (!isEmpty) return;
    const timer = setTimeout(() => setWasEmpty(true), settleMs);
    return () => clearTimeout(timer);
  }, [isEmpty]);
  return isEmpty || wasEmpty;
}

interface FleetProps {
  readonly devices: readonly Device[];
  readonly hasClips: boolean;
}

function Fleet({ devices, hasClips }: FleetProps) {
  useTimedReload();
  const open = useQuery(openEvents);
  const found = useQuery(alerts);
  const { data: day } = useQuery(dayOverview);
  const online = devices.filter(({ online: isOnline }) => isOnline).length;
  const silent = devices.length - online;
  return (
    <>
      <ul class="figures-row" aria-label="Summary">
        <Figure
          href="/devices"
          value={online.toLocaleString('en')}
          of={`of ${countText(devices.length, 'device')} online`}
          {...(online > 0 ? { tone: 'good' } : {})}
        >
          <progress class="progress good" value={online} max={devices.length} aria-hidden="true" />
        </Figure>
        <Figure href="/devices?state=offline" value={silent.toLocaleString('en')} of="offline" />
        <Figure href="/events" value={cappedCount(open.data ?? [], mostOpenEvents)} of="in the queue" />
      </ul>
      <div class="columns even overview-columns">
        <div>
          <WhenLoaded from={found} rows={2}>
            {(list) => <Attention alerts={list} />}
          </WhenLoaded>
          {hasClips && <LatestSound />}
        </div>
        <div>
          {hasClips && (day ? <Heard day={day} /> : <HeardPlace />)}
          {day && <FleetDay day={day} devices={devices} />}
          <InProgress open={open} />
        </div>
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

const mostRows = 6;

function InProgress({ open }: { readonly open: Loaded<readonly ListedEvent[]> }) {
  const underWay = (open.data ?? []).toSorted(compareProgress);
  return (
    <Section title="In progress" action={<a href="/events">All events</a>}>
      {underWay.length === 0 ? (
        <Empty title="The queue is empty">Events for devices appear here with their progress.</Empty>
      ) : (
        <ul class="rows" aria-live="polite">
          {underWay.slice(0, mostRows).map((event) => (
            <EventRow key={event.key} event={event} />
          ))}
        </ul>
      )}
    </Section>
  );
}
