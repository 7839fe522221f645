import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../app/loaded.tsx';
import { useLatest, useQuery } from '../../app/query.ts';
import { place, setQuery } from '../../app/router.ts';
import { Empty, Given, PageHead } from '../../ui/bits.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { nameOf, oneDevice } from '../device/data.ts';
import { eventsPerPage, hasEnded, type ListedEvent, mostUrgent, newestEvents } from './data.ts';
import { EventRow } from './row.tsx';
import { SendEventDialog } from './send-dialog.tsx';

const views = {
  now: { label: 'Now', shows: (event: ListedEvent) => !hasEnded(event) },
  failed: { label: 'Failed', shows: ({ eventStatus = 1 }: ListedEvent) => eventStatus === 5 || eventStatus === 6 },
  history: { label: 'History', shows: hasEnded },
} as const;
type View = keyof typeof views;

const isView = (text: string): text is View => Object.hasOwn(views, text);

function addressOf(view: string, deviceID: number): string {
  const query = new URLSearchParams();
  if (view !== 'now') query.set('status', view);
  if (deviceID !== 0) query.set('device', String(deviceID));
  const search = query.toString();
  return `/events${search && `?${search}`}`;
}

export function EventsPage() {
  const { query } = place.value;
  const asked = query.get('status') ?? 'now';
  const view = isView(asked) ? asked : 'now';
  const deviceID = Number(query.get('device') ?? 0) || 0;
  const [pages, setPages] = useState(1);
  const [sending, setSending] = useState(false);
  const found = useLatest(newestEvents(deviceID, eventsPerPage * pages));
  const fitting = found.data?.filter(views[view].shows) ?? [];
  const shown = view === 'now' ? fitting.toSorted(mostUrgent) : fitting;
  const count = (name: View) => found.data?.filter(views[name].shows).length;
  const isAll = (found.data?.length ?? 0) < eventsPerPage * pages;
  return (
    <>
      <PageHead
        title="Events"
        under={deviceID !== 0 && <OfDevice deviceID={deviceID} />}
        actions={
          <Button kind="primary" icon="add" onClick={() => setSending(true)}>
            Send an event
          </Button>
        }
      />
      <Tabs
        label="Events"
        current={view}
        href={(value) => addressOf(value, deviceID)}
        tabs={Object.entries(views).map(([value, { label }]) => {
          const figure = value === 'history' ? undefined : count(value as View);
          return { value, label, ...(figure ? { count: figure } : {}) };
        })}
      />
      <div class="card">
        <WhenLoaded from={found} rows={6}>
          {() => (shown.length > 0 ? <EventList events={shown} /> : <NoEvents view={view} />)}
        </WhenLoaded>
      </div>
      {!isAll && pages < 10 && (
        <div class="more">
          <Button onClick={() => setPages(pages + 1)}>Look further back</Button>
        </div>
      )}
      {sending && <SendEventDialog deviceID={deviceID} onClose={() => setSending(false)} />}
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

function OfDevice({ deviceID }: { readonly deviceID: number }) {
  const { data } = useQuery(oneDevice(deviceID));
  return (
    <>
      <span>
        of <Given text={data ? nameOf(data) : `device ${deviceID}`} />
      </span>
      <Button small kind="quiet" icon="close" onClick={() => setQuery({ device: '' })}>
        Of all devices
      </Button>
    </>
  );
}

function NoEvents({ view }: { readonly view: View }) {
  if (view === 'failed') return <Empty icon="check" title="Nothing has failed" />;
  if (view === 'history') {
    return (
      <Empty icon="event" title="Nothing has ended yet">
        What devices have done stays here: how it went, what they answered, and the way to send it again.
      </Empty>
    );
  }
  return (
    <Empty icon="event" title="The queue is empty" action={<LinkButton href="/presets">See the presets</LinkButton>}>
      An event is work for a device: start recording, upload clips, reboot. Send one, or run a preset.
    </Empty>
  );
}
