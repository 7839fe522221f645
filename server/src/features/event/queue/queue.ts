import type { Cluster } from '../../../platform/cluster.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { Metrics } from '../../../platform/http/door/metrics.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { EventTimes } from '../take/lease-queries.ts';
import { renewLeases, renewProcessing } from '../take/lease-queries.ts';
import { endLeases, expire, releaseHeldBy } from '../transition/queries.ts';
import { createWaitingRoom } from '../wait/waiting-room.ts';
import { createWakeups, lookForWork, recordWaiting, workTopic } from '../wait/wakeups.ts';
import type { HeldEvents } from '../../agent/public.ts';
import { credentialsTopic } from '../../caller/public.ts';
import type { EventParts } from '../parts.ts';
import type { Wakeups } from '../wait/wakeups.ts';

const checkIntervalMs = 1_000;
const contactMs = 30_000;
/** The number of events that one statement moves; the others follow a second later. */
const mostAtOnce = 500;

export interface EventQueue {
  readonly parts: EventParts;
  readonly heldEvents: HeldEvents;
  stop(): Promise<void>;
}

interface EventQueueOptions {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly log: Log;
  readonly secretBox: SecretBox;
  readonly times: EventTimes;
  readonly longPollSeconds: number;
  readonly metrics: Metrics;
}

/** Starts all background work of a node for events. */
export function startEventQueue(options: EventQueueOptions): EventQueue {
  const { db, cluster, log, secretBox, times, longPollSeconds, metrics } = options;
  const wakeupTime = metrics.addHistogram(
    'earshot_wakeup_seconds',
    'Time from the creation of an event to the answer of the long poll that waited for it.',
  );
  const room = createWaitingRoom();
  const wakeups = createWakeups(db, cluster, log);
  cluster.onAnnouncement(workTopic, (deviceIDs) => room.wake(deviceIDs ?? room.devices));
  // Waiting polls of users whose credentials changed are ended, so that they authenticate again.
  cluster.onAnnouncement(credentialsTopic, (userIDs) => room.dismiss(userIDs));

  const loops = [
    startLoop('leases and expirations', checkIntervalMs, createMover(db, times, wakeups), log),
    startLoop('waiting agents', checkIntervalMs, () => lookForWork(db, room), log),
    startLoop('contact of waiting agents', contactMs, () => recordWaiting(db, room), log),
  ];
  return {
    parts: { db, secretBox, times, longPollSeconds, room, wakeups, wakeupTime },
    heldEvents: {
      async release(tx, caller, former) {
        wakeups.add(await releaseHeldBy(tx, former, caller));
      },
      renew: (tx, agentID, processID) => renewLeases(tx, times, agentID, processID),
      renewal: (anyDb, agents) => renewProcessing(anyDb, times, agents),
    },
    async stop() {
      room.dismiss(undefined);
      for (const stopLoop of loops) await stopLoop();
    },
  };
}

/** A node that did not reach the database for so long was not the only one: holders could not renew their leases either. */
const awayMs = 30_000;

/** Moves what is overdue. After the database was away, holders get the time of a lease to renew theirs. */
function createMover(db: Db, times: EventTimes, wakeups: Wakeups): () => Promise<void> {
  let movedMs = performance.now();
  let patientUntilMs = -Infinity;
  return async () => {
    await expire(db, mostAtOnce);
    const nowMs = performance.now();
    if (nowMs - movedMs > awayMs) patientUntilMs = nowMs + times.leaseSeconds * 1_000;
    movedMs = nowMs;
    if (nowMs >= patientUntilMs) wakeups.add(await endLeases(db, times, mostAtOnce));
  };
}
