import type { Event, EventState } from '@earshot/contract/event';
import type { EventType } from '@earshot/contract/event-type';
import type { Operations } from '@earshot/contract/operations';
import type { AnswerOf } from '@earshot/contract/operation';
import type { EventPageFilter } from '@earshot/contract/event-page';
import { largestCount } from '@earshot/contract/values';
import { eventStatus, failedStatuses, isFinal } from '@earshot/contract/event-status';
import { api, errorMessage, waitOf } from '../../lib/api.ts';
import { followList, followOne } from '../../lib/follow.ts';
import { type Query, reload } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { type Parameters, rowsOf, writtenParameters } from './parameters.ts';
import { sendEach } from './send-each.ts';

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

const dayMs = 24 * 3_600_000;

const statusOf = (event: Event): number => event.eventStatus ?? eventStatus.pending;
export const hasEnded = (event: Event): boolean => isFinal(statusOf(event));
export const hasFailed = (event: Event): boolean => failedStatuses.includes(statusOf(event));
export const isOfLastDay = ({ creationDate = '' }: Event): boolean =>
  Date.now() - new Date(creationDate).getTime() < dayMs;

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

/** The newest events in a state, of one device or of all. */
export const eventsInState = (state: EventState, deviceID: number, count: number): Query<readonly ListedEvent[]> => {
  const followAll = followList<ListedEvent>({
    kind: 'event',
    keep: names,
    wants: ({ deviceID: changed, record }) => (deviceID === 0 || changed === deviceID) && isIn[state](record ?? {}),
  });
  return {
    key: `events ${state} ${deviceID} ${count}`,
    load: () => loadEvents({ eventState: state, ...(deviceID === 0 ? {} : { deviceID }) }, count),
    follow(list, change) {
      const next = followAll(list, change);
      return next === reload || next === list ? next : next.filter(isIn[state]);
    },
  };
};

/** The most queued events that are loaded. If there are more, the count shows `1,000+`. */
export const mostOpenEvents = 1_000;
export const cappedCount = (list: readonly unknown[], most: number): string =>
  list.length < most ? String(list.length) : `${most.toLocaleString('en')}+`;

export const oneEvent = (eventID: number): Query<Event> => ({
  key: `event ${eventID}`,
  load: () => api.getEvent({ params: { eventID } }),
  follow: followOne('event'),
});

export const eventTypes: Query<readonly EventType[]> = {
  key: 'event types',
  load: () => api.listEventTypes(),
};

/** Converts `Start_recording` to "Start recording". */
export const readableName = (name: string | undefined): string => (name ?? '').replaceAll('_', ' ');

/** What is sent to a device, as it is edited. */
export interface EventDraft {
  /** Empty: not chosen yet. */
  readonly eventType: string;
  readonly parameters: Parameters;
}

export const newEvent: EventDraft = { eventType: '', parameters: { rows: [] } };

/** A saved event, as it is edited. */
export function draftOf(eventType: string, eventParameters: string): EventDraft {
  try {
    return { eventType, parameters: { rows: rowsOf(eventParameters) } };
  } catch {
    return { eventType, parameters: { json: eventParameters } };
  }
}

/** Throws an InputProblem. */
export const writtenEvent = ({
  eventType,
  parameters,
}: EventDraft): { eventType: string; eventParameters: string } => ({
  eventType,
  eventParameters: writtenParameters(parameters),
});

/** `delay: 5, mode: loud`, for a row of a list. */
export function parametersSummary(json: string): string {
  try {
    return rowsOf(json)
      .map(({ name, value }) => `${name}: ${value}`)
      .join(', ');
  } catch {
    return json;
  }
}

/** Sorts events in progress before queued events. */
export const compareProgress = (a: Event, b: Event): number => statusOf(b) - statusOf(a);

/** Sends an event without parameters to each device, and shows the result as a toast. Returns whether all were sent. */
export async function sendToDevices(deviceIDs: readonly number[], eventType: string): Promise<boolean> {
  const outcomes = await sendEach(deviceIDs, {
    send: (deviceID) => api.createEvent({ body: { deviceID, eventType } }),
    waitSeconds: waitOf,
  });
  const failed = outcomes.filter(({ error }) => error !== undefined);
  const count = countText(outcomes.length - failed.length, 'device');
  if (failed.length === 0) showToast(`${readableName(eventType)} is queued for ${count}.`);
  else {
    const why = errorMessage(failed[0]?.error);
    showToast(`${readableName(eventType)} is queued for ${count}, not for ${failed.length}: ${why}`, { tone: 'bad' });
  }
  return failed.length === 0;
}
