import type { Device } from '@earshot/contract/device';
import { useEffect, useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Loaded } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { Empty, PageHead, Section } from '../../lib/ui/elements.tsx';
import { newestClips } from '../audio-clip/public.ts';
import { allDevices } from '../device/public.ts';
import type { ListedEvent } from '../event/public.ts';
import { compareProgress, openEvents } from '../event/public.ts';
import { EventRow } from '../event/public.tsx';
import { FirstSteps, SampleNotice } from '../first-steps/public.tsx';
import { Attention } from './attention.tsx';
import { alerts, dayOverview, useTimedReload } from './data.ts';
import { FleetDay } from './fleet.tsx';
import { Heard, HeardPlace } from './heard.tsx';
import { LatestSound } from './latest.tsx';
import { Summary } from './summary.tsx';

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
  return (
    <>
      <Summary devices={devices} open={open} />
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
