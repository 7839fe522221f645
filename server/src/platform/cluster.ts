import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Pool } from './database/connect.ts';
import { inTransaction } from './database/connect.ts';
import { createFailureLog } from './failure-log.ts';
import type { Log } from './log.ts';

/*
 * The nodes of one database, and how a node tells the others to invalidate what they have cached.
 *
 * Each node subscribes to one channel and sends itself a beat every second through the database. PostgreSQL delivers
 * notifications in order, so a beat that returns proves that every earlier announcement has arrived too. While no beat
 * has returned for `silentAfterMs`, the node must not use its caches (`isSubscribed` is false). On connect every cache
 * is invalidated, because announcements may have been missed.
 *
 * An announcement is part of the transaction of its change, so it is sent exactly when that commits. The node that made
 * the change then waits until every node with a recent beat has answered. A node that does not answer within
 * `answerWithinMs` has stopped using its caches by then. So the wait is limited, and after it no node uses outdated
 * entries.
 */

const channel = 'earshot_cluster';
const beatMs = 1_000;
const silentAfterMs = 3_000;
// A beat may be in transit while the announcement commits; the additional second covers that.
const answerWithinMs = silentAfterMs + 1_000;
const aliveSeconds = 10;
// A PostgreSQL notification holds up to 8,000 bytes; a change of more records invalidates the whole topic.
const mostSubjects = 300;

interface Message {
  readonly kind: 'beat' | 'announcement' | 'answer' | 'news';
  readonly node: string;
  readonly id: string;
  readonly topic?: string;
  readonly subjects?: readonly number[];
}

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
  const stopping = new AbortController();
  const connectionFailures = createFailureLog((fields, message) => log.warn(fields, message));
  const messageFailures = createFailureLog((fields, message) => log.warn(fields, message));
  let lastBeatAtMs = -Infinity;
  let running: Promise<void> | undefined;

  const isSubscribed = () => performance.now() - lastBeatAtMs < silentAfterMs;

  function actOn(topic: string | undefined, subjects: readonly number[] | undefined): void {
    for (const entry of acts) if (entry.topic === topic) entry.act(subjects);
  }

  async function receive(db: Pool, text: string): Promise<void> {
    const message = JSON.parse(text) as Message;
    if (message.kind === 'beat' && message.node === node) {
      const receivedAtMs = performance.now();
      await db`
        insert into nodes (node_id, heard_date, schema_number) values (${node}, clock_timestamp(), ${schemaNumber})
        on conflict (node_id) do update set heard_date = excluded.heard_date`;
      connectionFailures.succeeded();
      // Set after the insert: a node that uses its caches must be known to the nodes that wait for its answers.
      lastBeatAtMs = receivedAtMs;
    } else if (message.kind === 'news') {
      actOn(message.topic, message.subjects);
    } else if (message.kind === 'announcement') {
      actOn(message.topic, message.subjects);
      await send(db, { kind: 'answer', node, id: message.id });
    } else if (message.kind === 'answer') {
      const entry = waiting.get(message.id);
      entry?.answered.add(message.node);
      if (entry) settle(entry);
    }
  }

  /** Subscribes and sends beats on one connection; throws when no beat returns, so that `run` reconnects. */
  async function subscribeOnce(): Promise<void> {
    const db = connectSubscriber();
    try {
      const onMessage = (text: string) =>
        void receive(db, text).then(
          () => messageFailures.succeeded(),
          (error: unknown) => messageFailures.failed({ error }, 'a cluster message could not be handled'),
        );
      // The last argument is called again after every reconnect.
      await db.listen(channel, onMessage, () => acts.forEach(({ act }) => act(undefined)));
      const since = performance.now();
      while (!stopping.signal.aborted) {
        await send(db, { kind: 'beat', node, id: '' });
        await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (performance.now() - since > silentAfterMs && !isSubscribed()) throw new Error('no beat returned');
      }
      await db`delete from nodes where node_id = ${node} or heard_date < now() - interval '1 day'`;
    } finally {
      await db.end({ timeout: 1 });
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await subscribeOnce();
      } catch (error) {
        if (!stopping.signal.aborted) {
          connectionFailures.failed({ error }, 'the cluster connection was lost; reconnecting');
        }
        await sleep(250, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    get isSubscribed() {
      return isSubscribed();
    },
    onAnnouncement: (topic, act) => void acts.push({ topic, act }),
    tell: (db, topic, subjects) => send(db, { kind: 'news', node, id: '', topic, subjects }),
    async change(db, topic, work) {
      const id = randomUUID();
      const entry: Waiting = { answered: new Set([node]), awaited: undefined, done: () => {} };
      waiting.set(id, entry);
      try {
        const { result, subjects } = await inTransaction(db, async (tx) => {
          const change = await work(tx);
          const keys = [...new Set(change.subjects)];
          const named = keys.length > mostSubjects ? {} : { subjects: keys };
          entry.awaited = await announce(tx, { kind: 'announcement', node, id, topic, ...named });
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
    async start() {
      running = run();
      const deadline = performance.now() + silentAfterMs;
      while (!isSubscribed() && performance.now() < deadline) await sleep(10);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Notifies every node and returns the nodes that must answer. */
async function announce(tx: Db, message: Message): Promise<Set<string>> {
  const rows = await tx<{ node: string }[]>`
    select node_id as node from nodes
    where heard_date > clock_timestamp() - make_interval(secs => ${aliveSeconds})`;
  await send(tx, message);
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

async function send(db: Db, message: Message): Promise<void> {
  await db`select pg_notify(${channel}, ${JSON.stringify(message)})`;
}
