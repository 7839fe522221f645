import type { Event, EventState } from '@earshot/contract/event';
import type { Operations } from '@earshot/contract/operations';
import type { AnswerOf } from '@earshot/contract/operation';
import type { EventPageFilter } from '@earshot/contract/event-page';
import { largestCount } from '@earshot/contract/values';
import { api } from '../../lib/api.ts';
import { followList } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { reload } from '../../lib/query.ts';
import { hasEnded, hasFailed } from './progress.ts';

export type ListedEvent = AnswerOf<Operations['listEvents']>[number];

export const eventsPerPage = 100;

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

async function loadEvents(filter: EventPageFilter, most: number): Promise<readonly ListedEvent[]> {
  const events: ListedEvent[] = [];
  let cursor: string | undefined;
  do {
    const count = Math.min(largestCount, most - events.length);
    const page = await api.listEventPage({ body: { ...filter, count, ...(cursor === undefined ? {} : { cursor }) } });
    events.push(...page.results);
    cursor = page.next;
  } while (cursor !== undefined && events.length < most);
  return events;
}

/** The newest events in a state, of one device or of all; the platform's own work only if it is asked for. */
export const eventsInState = (
  state: EventState,
  deviceID: number,
  count: number,
  withPlatform = false,
): Query<readonly ListedEvent[]> => {
  const isWanted = (event: Event) => isIn[state](event) && (withPlatform || event.serverEvent !== 1);
  const followAll = followList<ListedEvent>({
    kind: 'event',
    keep: names,
    wants: ({ deviceID: changed, record }) => (deviceID === 0 || changed === deviceID) && isWanted(record ?? {}),
  });
  const filter = {
    eventState: state,
    ...(deviceID === 0 ? {} : { deviceID }),
    ...(withPlatform ? {} : { serverEvent: 0 }),
  };
  return {
    key: `events ${state} ${deviceID} ${count} ${withPlatform ? 'all' : 'devices'}`,
    load: () => loadEvents(filter, count),
    follow(list, change) {
      const next = followAll(list, change);
      return next === reload || next === list ? next : next.filter(isWanted);
    },
  };
};

/** The most queued events that are loaded. If there are more, the count shows `1,000+`. */
export const mostOpenEvents = 1_000;
export const cappedCount = (list: readonly unknown[], most: number): string =>
  list.length < most ? list.length.toLocaleString('en') : `${most.toLocaleString('en')}+`;
