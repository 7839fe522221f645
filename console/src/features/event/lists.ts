import type { Event, EventState } from '@earshot/contract/event';
import type { Operations } from '@earshot/contract/operations';
import type { AnswerOf } from '@earshot/contract/operation';
import type { SortedEventsFilter } from '@earshot/contract/event-page';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { followKinds, followList } from '../../lib/follow.ts';
import type { Change, Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';
import { hasEnded, hasFailed } from './progress.ts';

export type ListedEvent = AnswerOf<Operations['listEvents']>[number];
/** A row of a table. */
export type KeyedEvent = AnswerOf<Operations['listSortedEvents']>['results'][number];

const names = ['deviceName', 'eventType', 'agentType'] as const;

/** The newest events, of one device or of all. */
export const newestEvents = (deviceID: number, count: number): Query<readonly ListedEvent[]> => ({
  key: `events ${deviceID} ${count}`,
  load: () => api.listEvents({ body: { count, ...(deviceID === 0 ? {} : { deviceID }) } }),
  follow: followList<ListedEvent>({
    kind: 'event',
    keep: names,
    wants: (change) => deviceID === 0 || change.deviceID === deviceID,
  }),
});

const isIn: Readonly<Record<EventState, (event: Event) => boolean>> = {
  open: (event) => !hasEnded(event),
  failed: hasFailed,
  ended: hasEnded,
};

/** What a change makes of a row of the table: it leaves the list when it is in another state. */
export function followEvent({ eventState = 'open', deviceID, serverEvent }: SortedEventsFilter) {
  return (row: KeyedEvent | undefined, change: Change): KeyedEvent | undefined => {
    if (deviceID !== undefined && change.deviceID !== deviceID) return undefined;
    if (!change.record) return row ?? { key: change.key };
    const next: ListedEvent = { ...row, ...(change.record as ListedEvent), key: change.key };
    const isListed = isIn[eventState](next) && (serverEvent === undefined || next.serverEvent === serverEvent);
    return isListed ? { ...next, key: change.key } : undefined;
  };
}

/** How many events match: `12`, or `10,000+`. Undefined: none. */
export const eventCount = (filter: SortedEventsFilter): Query<string | undefined> => ({
  key: `events count ${JSON.stringify(filter)}`,
  load: async () => {
    const { total, isExact } = await api.listSortedEvents({ body: { ...filter, count: 1 } });
    return total === 0 ? undefined : `${total.toLocaleString('en')}${isExact ? '' : '+'}`;
  },
  follow: followKinds('event'),
});

const isListed = (event: Event): boolean => !hasEnded(event) && event.serverEvent !== 1;
const followOpen = followList<ListedEvent>({
  kind: 'event',
  keep: names,
  wants: ({ record }) => isListed(record ?? {}),
});

/** The newest events that devices have not ended, as many as are counted on a page. */
export const openEvents: Query<readonly ListedEvent[]> = {
  key: 'events open',
  load: async () =>
    (await api.listEventPage({ body: { eventState: 'open', serverEvent: 0, count: mostOpenEvents } })).results,
  follow(list, change) {
    const next = followOpen(list, change);
    return next === reload || next === list ? next : next.filter(isListed);
  },
};

/** If there are more, the count shows `1,000+`. */
export const mostOpenEvents = largestCount;
export const cappedCount = (list: readonly unknown[], most: number): string =>
  list.length < most ? list.length.toLocaleString('en') : `${most.toLocaleString('en')}+`;
