import { createEvent } from '@earshot/contract/event';
import { eventSorts } from '@earshot/contract/event-page';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { currentLocation, setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, UserText, PageHead } from '../../lib/ui/elements.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { Tabs } from '../../lib/ui/tabs.tsx';
import { allDevices, nameOf, oneDevice } from '../device/public.ts';
import { may } from '../right/public.ts';
import { eventTableColumns, EventLines } from './columns.tsx';
import { eventTypes } from './data.ts';
import { EventAction } from './event-action.tsx';
import { eventCount, followEvent } from './lists.ts';
import { readableName } from './readable-name.ts';
import { SendEventDialog } from './send-dialog.tsx';

const views = {
  now: { label: 'Queue', state: 'open' },
  failed: { label: 'Failed', state: 'failed' },
  history: { label: 'History', state: 'ended' },
} as const;
type View = keyof typeof views;

const isView = (text: string): text is View => Object.hasOwn(views, text);

/** The same filters in another view. */
function addressOf(view: string, query: URLSearchParams): string {
  const kept = ['device', 'platform', 'type'].flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value]] : [];
  });
  const search = new URLSearchParams([...(view === 'now' ? [] : [['status', view]]), ...kept]).toString();
  return `/events${search && `?${search}`}`;
}

export function EventsPage() {
  const { query } = currentLocation.value;
  const asked = query.get('status') ?? 'now';
  const view = isView(asked) ? asked : 'now';
  const deviceID = Number(query.get('device') ?? 0) || 0;
  const withPlatform = query.get('platform') === 'yes';
  const eventType = query.get('type') ?? '';
  const [sending, setSending] = useState(false);
  const { data: devices = [] } = useQuery(allDevices);
  const maySend = devices.some(({ key }) => may(createEvent, { deviceID: key }));
  const conditions = {
    ...(deviceID === 0 ? {} : { deviceID }),
    ...(withPlatform ? {} : { serverEvent: 0 }),
    ...(eventType === '' ? {} : { eventType }),
  };
  const filter = { eventState: views[view].state, ...conditions };
  const counts = {
    now: useQuery(eventCount({ eventState: views.now.state, ...conditions })).data,
    failed: useQuery(eventCount({ eventState: views.failed.state, ...conditions })).data,
    history: useQuery(eventCount({ eventState: views.history.state, ...conditions })).data,
  };
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
        href={(value) => addressOf(value, query)}
        tabs={(Object.keys(views) as View[]).map((value) => {
          const { [value]: count } = counts;
          return { value, label: views[value].label, ...(count === undefined ? {} : { count }) };
        })}
      />
      <TableView
        key={view}
        name="events"
        label={`${views[view].label} of events`}
        columns={eventTableColumns}
        sorts={eventSorts}
        isUsuallyDescending
        filters={<TypeFilter value={eventType} />}
        filterCount={(eventType === '' ? 0 : 1) + (withPlatform ? 1 : 0)}
        filter={filter}
        load={(request) => api.listSortedEvents({ body: { ...filter, ...request } })}
        kinds={['event']}
        follow={followEvent(filter)}
        nameOf={(event) => `${readableName(event.eventType)}, ${event.deviceName}`}
        hrefOf={({ key }) => `/events/${key}`}
        actions={{
          widthRem: 2.5,
          cell: (event) => <EventAction event={event} title={readableName(event.eventType)} />,
        }}
        lines={(event) => <EventLines event={event} />}
        countText={(count) => countText(count, 'event')}
        empty={() => <NoEvents view={view} isFiltered={eventType !== ''} />}
        tools={
          <label class="filter-words platform-work">
            <input
              type="checkbox"
              checked={withPlatform}
              onChange={({ currentTarget }) => setQuery({ platform: currentTarget.checked ? 'yes' : '' })}
            />
            <span>Also the platform’s own work, such as transcribing</span>
          </label>
        }
      />
      {sending && <SendEventDialog deviceIDs={deviceID === 0 ? [] : [deviceID]} onClose={() => setSending(false)} />}
    </>
  );
}

function TypeFilter({ value }: { readonly value: string }) {
  const { data: types = [] } = useQuery(eventTypes);
  return (
    <FilterPick
      label="Type"
      value={value}
      all="All"
      options={types.map(({ eventTypeName = '' }) => ({ value: eventTypeName, label: readableName(eventTypeName) }))}
      onChange={(type) => setQuery({ type })}
    />
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

function NoEvents({ view, isFiltered }: { readonly view: View; readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty icon="search" title="No matching events" />;
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
