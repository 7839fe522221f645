import { Event } from '@earshot/contract/event';
import type { Feature } from '../../feature.ts';
import { findEventsByKey } from './queries.ts';
import { startEventQueue } from './queue.ts';
import { serveEvents } from './routes.ts';
import { startWorker } from './worker.ts';

export const event: Feature = {
  open({ db, cluster, log, secretBox, outbound, config }) {
    const { eventTimes: times, longPollSeconds } = config;
    const queue = startEventQueue({ db, cluster, log, secretBox, times, longPollSeconds });
    return { events: { ...queue.parts, outbound }, heldEvents: queue.heldEvents, stop: () => queue.stop() };
  },
  async loops({ db, cluster, log, config, events, jobKinds }) {
    if (jobKinds.length === 0) return [];
    const { eventTimes: times } = config;
    const worker = await startWorker({ db, cluster, log, times, wakeups: events.wakeups, kinds: jobKinds });
    return [() => worker.stop()];
  },
  routes: (http, { events }) => serveEvents(http, events),
  liveRecords: [{ kind: 'event', schema: Event, find: findEventsByKey }],
  endRequests: ({ events }) => events.room.close(),
};
