import type { Static } from 'typebox';
import { Type } from 'typebox';
import { EventStateFilter, EventWithNames } from './event.ts';
import { operation, readsOnly } from './operation.ts';
import { Count, Cursor, Key, Order, pageCursors } from './values.ts';

/** A list of events in pages: running a preset can enqueue many events at the same time. */

const EventPageFilter = Type.Object(
  {
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
