import type { Static } from 'typebox';
import { Type } from 'typebox';
import { EventStateFilter, EventWithNames } from './event.ts';
import { operation, readsOnly } from './operation.ts';
import { pageFields, pageManner, pageRequest } from './sorted-page.ts';
import { EventTypeName } from './event-type.ts';
import { Count, Cursor, Key, Order, pageCursors } from './values.ts';

/** A list of events in pages: running a preset can enqueue many events at the same time. */

const conditions = {
  deviceID: Type.Optional(
    Type.Integer({ ...Key, examples: [0], description: 'One device; missing or 0: every device that you may read.' }),
  ),
  eventState: Type.Optional(EventStateFilter),
  serverEvent: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1,
      examples: [0],
      description: "0: only what an agent on a device does; 1: only the platform's own work; missing: both.",
    }),
  ),
};

const EventPageFilter = Type.Object(
  {
    ...conditions,
    order: Type.Optional(Order),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
  },
  { title: 'EventPageFilter' },
);
export type EventPageFilter = Static<typeof EventPageFilter>;

const EventPage = Type.Object({ results: Type.Array(EventWithNames), ...pageCursors }, { title: 'EventPage' });
export type EventPage = Static<typeof EventPage>;

export const listEventPage = operation('event', {
  method: 'POST',
  path: '/v1/event/list/page',
  summary: 'List events page by page, forwards and back',
  description:
    'Sorted by creation, then key. Follow `next` until it is missing: every event that matches during the whole time is returned exactly ' +
    'once, while others are added. Send the filters with each request; the cursor contains only the position.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'event',
  body: EventPageFilter,
  answer: EventPage,
  trail: readsOnly,
});

/** Millions of events have one order: an index for another one would be written with every event and never read. */
export const eventSorts = ['creationDate'] as const;

const SortedEventsFilter = Type.Object(
  {
    ...conditions,
    eventType: Type.Optional(
      Type.String({
        ...EventTypeName,
        minLength: 0,
        examples: [''],
        description: 'Only events of this type; empty: of all.',
      }),
    ),
    ...pageRequest(eventSorts),
  },
  { title: 'SortedEventsFilter' },
);
export type SortedEventsFilter = Static<typeof SortedEventsFilter>;

const ListedEvent = Type.Object({ ...EventWithNames.properties, key: Key }, { title: 'ListedEvent' });

const SortedEvents = Type.Object({ results: Type.Array(ListedEvent), ...pageFields }, { title: 'SortedEvents' });
export type SortedEvents = Static<typeof SortedEvents>;

export const listSortedEvents = operation('event', {
  method: 'POST',
  path: '/v1/event/page',
  summary: 'List events page by page, with their number',
  description: `As a table shows them. ${pageManner}`,
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'event',
  body: SortedEventsFilter,
  answer: SortedEvents,
  trail: readsOnly,
});
