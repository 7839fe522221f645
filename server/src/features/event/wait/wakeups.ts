import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../../platform/cluster.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { findDevicesWithWork } from '../queries.ts';
import type { WaitingRoom } from './waiting-room.ts';
import { recordPolls } from '../../device/public.ts';

export interface Wakeups {
  /** Called after the commit, because polls for these devices may be waiting on some node. */
  add(deviceIDs: readonly number[]): void;
}

export const workTopic = 'work';

/** Limits the size of a notification and the work of one pass. */
const mostDevicesAtOnce = 500;
const gatherMs = 5;

/**
 * Notifies all nodes of new events, in batches of a few milliseconds: a notification inside every transaction would
 * make all commits of the database wait for one lock. If a node stops before it has sent a notification, `lookForWork`
 * finds the events.
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
        .catch((error: unknown) => log.warn({ error }, 'notifying other nodes of new events failed'));
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

/**
 * One query for all polls that wait on this node: finds events whose notification was lost or whose delay has ended.
 */
export async function lookForWork(db: Db, room: WaitingRoom): Promise<void> {
  room.sweep();
  const { devices } = room;
  if (devices.length > 0) room.wake(await findDevicesWithWork(db, devices));
}

/** A waiting long poll counts as contact with its device, if its caller may write the device. */
export async function recordWaiting(db: Db, room: WaitingRoom): Promise<void> {
  const { contactedDevices } = room;
  if (contactedDevices.length > 0) await recordPolls(db, contactedDevices);
}
