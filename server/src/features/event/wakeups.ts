import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { findDevicesWithWork, recordPolls } from './queries.ts';
import type { WaitingRoom } from './waiting-room.ts';

export const workTopic = 'work';

/** Enough for one message, and for one turn of a busy node. */
const mostDevicesAtOnce = 500;
const gatherMs = 5;

export interface Wakeups {
  /** After the commit: some node may have someone waiting for work on these devices. */
  add(deviceIDs: readonly number[]): void;
}

/**
 * Tells all nodes about new work, gathered for a few milliseconds: a notification inside every transaction would
 * make all commits of the database queue for one lock. One that is lost with its node is made up for by the slow
 * look of `watchForWork`.
 */
export function createWakeups(db: Db, cluster: Cluster, log: Log): Wakeups {
  const gathered = new Set<number>();
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    await sleep(gatherMs);
    while (gathered.size > 0) {
      const deviceIDs = [...gathered].slice(0, mostDevicesAtOnce);
      for (const deviceID of deviceIDs) gathered.delete(deviceID);
      await cluster
        .tell(db, workTopic, deviceIDs)
        .catch((error: unknown) => log.warn({ error }, 'a wake-up was not sent'));
    }
  }

  return {
    add(deviceIDs) {
      for (const deviceID of deviceIDs) gathered.add(deviceID);
      if (gathered.size > 0) {
        sending ??= send().finally(() => {
          sending = undefined;
        });
      }
    },
  };
}

/** One look for everyone who waits here: what a lost notification or a delay that ran out has made ready. */
export async function lookForWork(db: Db, room: WaitingRoom): Promise<void> {
  room.sweep();
  const { devices } = room;
  if (devices.length > 0) room.wake(await findDevicesWithWork(db, devices));
}

/** A parked long poll is contact with its device. */
export async function recordWaiting(db: Db, room: WaitingRoom): Promise<void> {
  const { devices } = room;
  if (devices.length > 0) await recordPolls(db, devices);
}
