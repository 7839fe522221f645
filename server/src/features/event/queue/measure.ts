import type { Pool } from '../../../platform/database/connect.ts';
import type { Metrics } from '../../../platform/http/door/metrics.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { WaitingRoom } from '../wait/waiting-room.ts';
import type { QueueCounts } from './queries.ts';
import { countQueue } from './queries.ts';

const measureMs = 15_000;

/** Gauges of the queue. Measured periodically, because a scrape must not wait for the database. */
export function measureQueue(db: Pool, log: Log, metrics: Metrics, room: WaitingRoom): () => Promise<void> {
  const none = { count: 0, ageSeconds: 0 };
  let queue: Omit<QueueCounts, 'devicesOnline'> = { device: none, platform: none, held: 0, postbacks: none };
  let devicesOnline = 0;
  metrics.addGauges('earshot_events_pending', 'Events that wait for an agent or the platform.', 'worker', () => ({
    device: queue.device.count,
    platform: queue.platform.count,
  }));
  metrics.addGauges('earshot_events_oldest_seconds', 'Age of the oldest pending event; 0 if none.', 'worker', () => ({
    device: queue.device.ageSeconds,
    platform: queue.platform.ageSeconds,
  }));
  metrics.addGauge('earshot_events_held', 'Events that an agent or the platform is working on.', () => queue.held);
  metrics.addGauge('earshot_postbacks_waiting', 'Postbacks that are not delivered yet.', () => queue.postbacks.count);
  metrics.addGauge(
    'earshot_postbacks_oldest_seconds',
    'Age of the oldest postback that is not delivered yet; 0 if none.',
    () => queue.postbacks.ageSeconds,
  );
  metrics.addGauge('earshot_devices_online', 'Devices that are online.', () => devicesOnline);
  metrics.addGauge('earshot_agents_waiting', 'Long polls that wait on this node.', () => room.size);
  const measure = async () => {
    ({ devicesOnline, ...queue } = await countQueue(db));
  };
  return startLoop('queue metrics', measureMs, measure, log, 0);
}
