import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';

const changesTopic = 'changes';
const listeningTopic = 'listening';
const gatherMs = 10;
/** A node with listeners notifies the others every second; without a notification for this long it has none. */
const listeningTimeoutMs = 5_000;

export interface News {
  /** Called after a commit that may have changed something. */
  readonly noteChange: () => void;
  /** Notifies the other nodes that this node has listeners. Called periodically. */
  tellListening(): Promise<void>;
}

interface Parts {
  readonly db: Db;
  readonly cluster: Cluster;
  readonly log: Log;
}

/**
 * Notifies other nodes of changes, in batches of a few milliseconds and only while another node has listeners. A lost
 * notification does no harm: nodes with listeners also read the log every second.
 */
export function createNews({ db, cluster, log }: Parts, readNew: () => void): News {
  const self = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  let othersListenUntilMs = 0;
  let notifying: Promise<void> | undefined;

  cluster.onAnnouncement(changesTopic, readNew);
  cluster.onAnnouncement(listeningTopic, (nodes) => {
    if (nodes?.some((node) => node !== self)) othersListenUntilMs = performance.now() + listeningTimeoutMs;
  });

  async function notifyOfChange(): Promise<void> {
    await sleep(gatherMs);
    notifying = undefined;
    await cluster
      .tell(db, changesTopic, [])
      .catch((error: unknown) => log.warn({ error }, 'notifying other nodes of a change failed'));
  }

  return {
    noteChange: () => {
      readNew();
      if (performance.now() < othersListenUntilMs) notifying ??= notifyOfChange();
    },
    tellListening: () => cluster.tell(db, listeningTopic, [self]),
  };
}
