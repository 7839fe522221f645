import { Event } from '@earshot/contract/event';
import { defineFeature } from '../../feature.ts';
import { findEventsByKey, lockEventsOfDevice, moveEventsOfDevice, removeEventsOfDevice } from './queries.ts';
import { startDelivery } from './postback/delivery.ts';
import { startPostbackRetention } from './postback/retention.ts';
import { servePostbacks } from './postback/routes.ts';
import { measureQueue } from './queue/measure.ts';
import { startEventQueue } from './queue/queue.ts';
import { serveEvents } from './routes.ts';
import { putEventTypes } from './type/queries.ts';
import { serveEventTypes } from './type/routes.ts';
import { startWorker } from './work/worker.ts';

export const event = defineFeature({
  name: 'event',
  needs: ['cluster', 'config', 'db', 'events', 'jobKinds', 'log', 'metrics', 'outbound', 'secretBox'],
  prepare: ({ db }) => putEventTypes(db),
  open({ db, cluster, log, secretBox, outbound, config, metrics }) {
    const { eventTimes: times, longPollSeconds } = config;
    const queue = startEventQueue({ db, cluster, log, secretBox, times, longPollSeconds, metrics });
    return { events: { ...queue.parts, outbound }, heldEvents: queue.heldEvents, stop: () => queue.stop() };
  },
  async loops(parts) {
    const { db, cluster, log, config, events, jobKinds } = parts;
    const delivery = startDelivery({ ...parts, retrySeconds: config.eventTimes.retrySeconds });
    const retention = startPostbackRetention(db, log, config.fileSweepSeconds * 1000, config.deliveryDays);
    if (jobKinds.length === 0) return [delivery, retention];
    const { eventTimes: times } = config;
    const worker = await startWorker({ db, cluster, log, times, wakeups: events.wakeups, kinds: jobKinds });
    return [delivery, retention, () => worker.stop()];
  },
  routes(http, { db, events }) {
    serveEventTypes(http, db);
    serveEvents(http, events);
    servePostbacks(http, db);
  },
  metrics: (metrics, { db, log, events }) => [measureQueue(db, log, metrics, events.room)],
  liveRecords: [{ kind: 'event', schema: Event, find: findEventsByKey }],
  endRequests: ({ events }) => events.room.close(),
  deviceRemoval: { lock: lockEventsOfDevice, remove: removeEventsOfDevice, move: moveEventsOfDevice },
});
