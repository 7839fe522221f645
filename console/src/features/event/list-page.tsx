import { useState } from 'preact/hooks';
import { useKept } from '../../lib/kept.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useLatest, useQuery } from '../../lib/query.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { Empty, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { nameOf, oneDevice } from '../device/public.ts';
import { allDevices } from '../device/public.ts';
import { mayWrite } from '../right/public.ts';
import type { ListedEvent } from './lists.ts';
import { cappedCount, eventsInState, eventsPerPage, mostOpenEvents } from './lists.ts';
import { isOfLastDay, compareProgress } from './progress.ts';
import { EventRow } from './event-row.tsx';
import { SendEventDialog } from './send-dialog.tsx';

const views = {
  now: { label: 'Queue', state: 'open' },
  failed: { label: 'Failed', state: 'failed' },
  history: { label: 'History', state: 'ended' },
} as const;
type View = keyof typeof views;

const isView = (text: string): text is View => Object.hasOwn(views, text);

function addressOf(view: string, deviceID: number, withPlatform: boolean): string {
  const query = new URLSearchParams(withPlatform ? { platform: 'yes' } : {});
  if (view !== 'now') query.set('status', view);
  if (deviceID !== 0) query.set('device', String(deviceID));
  const search = query.toString();
  return `/events${search && `?${search}`}`;
}

export function EventsPage() {
  const { query } = currentLocation.value;
  const asked = query.get('status') ?? 'now';
  const view = isView(asked) ? asked : 'now';
  const deviceID = Number(query.get('device') ?? 0) || 0;
  const [sending, setSending] = useState(false);
  const { data: devices = [] } = useQuery(allDevices);
  const maySend = devices.some(({ key }) => mayWrite(key));
  const withPlatform = query.get('platform') === 'yes';
  const open = useQuery(eventsInState('open', deviceID, mostOpenEvents, withPlatform)).data ?? [];
  const failed = (useQuery(eventsInState('failed', deviceID, eventsPerPage, withPlatform)).data ?? []).filter(
    isOfLastDay,
  );
  const counts = { now: cappedCount(open, mostOpenEvents), failed: cappedCount(failed, eventsPerPage), history: '0' };
  return (
    <>
      <PageHead
        title="Events"
        under={deviceID !== 0 && <DeviceFilter deviceID={deviceID} />}
        actions={
          maySend && (
            <Button kind="primary" icon="add" onClick={() => setSending(true)}>
              Send an event
            </Button>
          )
        }
      />
      <Tabs
        label="Events"
        current={view}
        href={(value) => addressOf(value, deviceID, withPlatform)}
        tabs={(Object.keys(views) as View[]).map((value) => {
          const { label } = views[value];
          return { value, label, ...(counts[value] === '0' ? {} : { count: counts[value] }) };
        })}
      />
      <label class="filter-words platform-work">
        <input
          type="checkbox"
          checked={withPlatform}
          onChange={({ currentTarget }) => setQuery({ platform: currentTarget.checked ? 'yes' : '' })}
        />
        <span>Also the platform’s own work, such as transcribing</span>
      </label>
      <EventsOfView
        key={`${view} ${deviceID} ${withPlatform}`}
        view={view}
        deviceID={deviceID}
        withPlatform={withPlatform}
      />
      {sending && <SendEventDialog deviceIDs={deviceID === 0 ? [] : [deviceID]} onClose={() => setSending(false)} />}
    </>
  );
}

interface EventsOfViewProps {
  readonly view: View;
  readonly deviceID: number;
  readonly withPlatform: boolean;
}

function EventsOfView({ view, deviceID, withPlatform }: EventsOfViewProps) {
  const [pages, setPages] = useKept(`pages ${view} ${deviceID} ${withPlatform}`, 1);
  const count = (view === 'now' ? mostOpenEvents : eventsPerPage) * pages;
  const found = useLatest(eventsInState(views[view].state, deviceID, count, withPlatform));
  const shown = view === 'now' ? found.data?.toSorted(compareProgress) : found.data;
  const mayBeMore = found.data?.length === count;
  return (
    <>
      <div class="card">
        <WhenLoaded from={found} rows={6}>
          {() => (shown && shown.length > 0 ? <EventList events={shown} /> : <NoEvents view={view} />)}
        </WhenLoaded>
      </div>
      {mayBeMore && (
        <div class="more">
          <Button onClick={() => setPages(pages + 1)}>Load older</Button>
        </div>
      )}
    </>
  );
}

function EventList({ events }: { readonly events: readonly ListedEvent[] }) {
  return (
    <ul class="rows">
      {events.map((event) => (
        <EventRow key={event.key} event={event} />
      ))}
    </ul>
  );
}

function DeviceFilter({ deviceID }: { readonly deviceID: number }) {
  const { data } = useQuery(oneDevice(deviceID));
  return (
    <>
      <span>
        Device: <UserText text={data ? nameOf(data) : `device ${deviceID}`} />
      </span>
      <Button small kind="quiet" icon="close" onClick={() => setQuery({ device: '' })}>
        Show all devices
      </Button>
    </>
  );
}

function NoEvents({ view }: { readonly view: View }) {
  if (view === 'failed') return <Empty icon="check" title="No failed events" />;
  if (view === 'history') {
    return (
      <Empty icon="event" title="No finished events yet">
        Finished events appear here with their result. You can send them again.
      </Empty>
    );
  }
  return (
    <Empty icon="event" title="The queue is empty" action={<LinkButton href="/presets">Show presets</LinkButton>}>
      An event is a task for a device, for example: start recording, upload clips, reboot. Send one, or run a preset.
    </Empty>
  );
}
