import { randomUUID } from 'node:crypto';
import type { ClusterMessage } from './cluster-subscription.ts';
import { createClusterSubscription, sendMessage, silentNodeAfterMs } from './cluster-subscription.ts';
import type { Db, Pool } from './database/connect.ts';
import { inTransaction } from './database/connect.ts';
import type { Log } from './log.ts';

/*
 * The nodes of one database, and how a node tells the others to invalidate what they have cached.
 *
 * Each node subscribes to one channel. While it may have missed announcements (cluster-subscription.ts), it must not use
 * its caches (`isSubscribed` is false). On connect every cache is invalidated.
 *
 * An announcement is part of the transaction of its change, so it is sent exactly when that commits. The node that made
 * the change then waits until every node with a recent beat has answered. A node that does not answer within
 * `answerWithinMs` has stopped using its caches by then. So the wait is limited, and after it no node uses outdated
 * entries.
 */

// A beat may be in transit while the announcement commits; the additional second covers that.
const answerWithinMs = silentNodeAfterMs + 1_000;
const aliveSeconds = 10;
// A PostgreSQL notification holds up to 8,000 bytes; a change of more records invalidates the whole topic.
const mostSubjects = 300;

interface Waiting {
  readonly answered: Set<string>;
  awaited: Set<string> | undefined;
  done: () => void;
}

/** Handles an announcement; `subjects` is undefined if announcements may have been missed. */
type Act = (subjects: readonly number[] | undefined) => void;

export interface ClusterChange<Result> {
  readonly result: Result;
  /** The keys of the changed records. */
  readonly subjects: readonly number[];
}

export interface Cluster {
  /** Whether this node has received every announcement up to about a second ago. */
  readonly isSubscribed: boolean;
  /** Handles announcements and news, including those of this node; a topic can have several handlers. */
  onAnnouncement(topic: string, act: Act): void;
  /** Notifies every node without waiting for answers: for news whose loss does no harm. */
  tell(db: Db, topic: string, subjects: readonly number[]): Promise<void>;
  /** Runs a change in one transaction with its announcement; returns when no node uses the old values any more. */
  change<Result>(db: Pool, topic: string, work: (tx: Db) => Promise<ClusterChange<Result>>): Promise<Result>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** `schemaNumber`: the newest migration that this node knows, for nodes of the versions beside it. */
export function createCluster(connectSubscriber: () => Pool, log: Log, schemaNumber: number): Cluster {
  const node = randomUUID();
  const acts: { topic: string; act: Act }[] = [];
  const waiting = new Map<string, Waiting>();
  const subscription = createClusterSubscription({
    node,
    schemaNumber,
    connect: connectSubscriber,
    log,
    onSubscribed: () => acts.forEach(({ act }) => act(undefined)),
    onMessage: receive,
  });

  function actOn(topic: string | undefined, subjects: readonly number[] | undefined): void {
    for (const entry of acts) if (entry.topic === topic) entry.act(subjects);
  }

  async function receive(db: Pool, message: ClusterMessage): Promise<void> {
    if (message.kind === 'answer') {
      const entry = waiting.get(message.id);
      entry?.answered.add(message.node);
      if (entry) settle(entry);
    }
    if (message.kind === 'news' || message.kind === 'announcement') actOn(message.topic, message.subjects);
    if (message.kind === 'announcement') await sendMessage(db, { kind: 'answer', node, id: message.id });
  }

  return {
    get isSubscribed() {
      return subscription.isSubscribed();
    },
    onAnnouncement: (topic, act) => void acts.push({ topic, act }),
    tell: (db, topic, subjects) => sendMessage(db, { kind: 'news', node, id: '', topic, subjects }),
    async change(db, topic, work) {
      const id = randomUUID();
      const entry: Waiting = { answered: new Set([node]), awaited: undefined, done: () => {} };
      waiting.set(id, entry);
      try {
        const { result, subjects } = await inTransaction(db, async (tx) => {
          const change = await work(tx);
          const keys = [...new Set(change.subjects)];
          // A change of no record, such as the removal of a device without keys, is no news.
          if (keys.length === 0) entry.awaited = new Set();
          else {
            const named = keys.length > mostSubjects ? {} : { subjects: keys };
            entry.awaited = await announce(tx, { kind: 'announcement', node, id, topic, ...named });
          }
          return change;
        });
        // This node handles the change directly, without waiting for its own notification.
        actOn(topic, subjects);
        await answers(entry);
        return result;
      } finally {
        waiting.delete(id);
      }
    },
    start: () => subscription.start(),
    stop: () => subscription.stop(),
  };
}

/** Notifies every node and returns the nodes that must answer. */
async function announce(tx: Db, message: ClusterMessage): Promise<Set<string>> {
  const rows = await tx<{ node: string }[]>`
    select node_id as node from nodes
    where heard_date > clock_timestamp() - make_interval(secs => ${aliveSeconds})`;
  await sendMessage(tx, message);
  return new Set(rows.map(({ node }) => node));
}

function answers(entry: Waiting): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, answerWithinMs);
    entry.done = () => {
      clearTimeout(timer);
      resolve();
    };
    settle(entry);
  });
}

function settle(entry: Waiting): void {
  if (!entry.awaited) return;
  for (const node of entry.awaited) if (!entry.answered.has(node)) return;
  entry.done();
}
