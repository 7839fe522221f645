import type { Event } from '@earshot/contract/event';
import type { Operations } from '@earshot/contract/operations';
import type { AnswerOf } from '@earshot/contract/operation';
import { api } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import { followKinds, followOne } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import type { ListedEvent } from './lists.ts';
import type { EventType } from '@earshot/contract/event-type';

export type Transition = AnswerOf<Operations['listEventHistory']>[number];
export type ShownPostback = AnswerOf<Operations['listPostbacks']>[number];

export const historyOf = (eventID: number): Query<readonly Transition[]> => ({
  key: `event history ${eventID}`,
  load: () => api.listEventHistory({ params: { eventID } }),
  follow: (history, change) =>
    change.event === 'event' && change.key === eventID
      ? followKinds<typeof history>('event')(history, change)
      : history,
});

export const postbacksOf = (eventID: number): Query<readonly ShownPostback[]> => ({
  key: `event postbacks ${eventID}`,
  load: () => api.listPostbacks({ params: { eventID } }),
});

export function requestCancel(event: ListedEvent, title: string): void {
  const eventID = event.key ?? 0;
  deferAction(`event ${eventID}`, `${title} is cancelled.`, () => api.cancelEvent({ params: { eventID } }));
}

export async function sendAgain(event: Event, title: string): Promise<void> {
  const { deviceID, eventTypeID, eventParameters, priority, maxAttempts } = event;
  await api.createEvent({
    body: {
      ...(deviceID === undefined ? {} : { deviceID }),
      ...(eventTypeID === undefined ? {} : { eventTypeID }),
      ...(eventParameters === undefined ? {} : { eventParameters }),
      ...(priority === undefined ? {} : { priority }),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    },
  });
  showToast(`${title} is queued again.`);
}

export const oneEvent = (eventID: number): Query<Event> => ({
  key: `event ${eventID}`,
  load: () => api.getEvent({ params: { eventID } }),
  follow: followOne('event'),
});

export const eventTypes: Query<readonly EventType[]> = {
  key: 'event types',
  load: () => api.listEventTypes(),
};
