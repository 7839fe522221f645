import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from '../../platform/cluster.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';

const changesTopic = 'changes';
const listeningTopic = 'listening';
const gatherMs = 10;
/** Told every second by a node that has listeners; one that is not heard of for this long has none. */
const believedMs = 5_000;

export interface News {
  /** After a commit: something may have changed. */
  readonly noteChange: () => void;
  /** That somebody listens here, for the other nodes to know; told now and then. */
  tellListening(): Promise<void>;
}

interface Parts {
  readonly db: Db;
  readonly cluster: Cluster;
  readonly log: Log;
}

/**
 * Nodes tell each other that there is something to read, gathered for a few milliseconds and only while another node
 * has somebody to read it for. News may be lost at no harm: whoever has listeners also looks once a second.
 */
export function createNews({ db, cluster, log }: Parts, look: () => void): News {
  const self = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
  let othersListenUntilMs = 0;
  let telling: Promise<void> | undefined;

  cluster.onAnnouncement(changesTopic, look);
  cluster.onAnnouncement(listeningTopic, (nodes) => {
    if (nodes?.some((node) => node !== self)) othersListenUntilMs = performance.now() + believedMs;
  });

  async function tellChange(): Promise<void> {
    await sleep(gatherMs);
    telling = undefined;
    await cluster
      .tell(db, changesTopic, [])
      .catch((error: unknown) => log.warn({ error }, 'news of a change was not sent'));
  }

  return {
    noteChange: () => {
      look();
      if (performance.now() < othersListenUntilMs) telling ??= tellChange();
    },
    tellListening: () => cluster.tell(db, listeningTopic, [self]),
  };
}
