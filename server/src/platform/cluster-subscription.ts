import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Pool } from './database/connect.ts';
import { createFailureLog } from './failure-log.ts';
import type { Log } from './log.ts';

/*
 * How a node receives the messages of the cluster, and knows that it misses none: it sends itself a beat every second
 * through the database. PostgreSQL delivers notifications in order, so a beat that returns proves that every earlier
 * message has arrived too.
 */

const channel = 'earshot_cluster';
const beatMs = 1_000;
const reconnectMs = 250;
/** Without a beat for this long, a node must not use its caches. */
export const silentNodeAfterMs = 3_000;

export interface ClusterMessage {
  readonly kind: 'beat' | 'announcement' | 'answer' | 'news';
  readonly node: string;
  readonly id: string;
  readonly topic?: string;
  readonly subjects?: readonly number[];
}

export interface SubscriptionParts {
  readonly node: string;
  /** The newest migration that this node knows, for nodes of the versions beside it. */
  readonly schemaNumber: number;
  readonly connect: () => Pool;
  readonly log: Log;
  /** Called on every connect, because messages may have been missed. */
  readonly onSubscribed: () => void;
  /** Called for every message but beats, also for those of this node. */
  readonly onMessage: (db: Pool, message: ClusterMessage) => Promise<void>;
}

export interface ClusterSubscription {
  /** Whether this node has received every message up to about a second ago. */
  isSubscribed(): boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createClusterSubscription(parts: SubscriptionParts): ClusterSubscription {
  const { node, schemaNumber, connect, log, onSubscribed, onMessage } = parts;
  const stopping = new AbortController();
  const connectionFailures = createFailureLog((fields, message) => log.warn(fields, message));
  const messageFailures = createFailureLog((fields, message) => log.warn(fields, message));
  let lastBeatAtMs = -Infinity;
  let running: Promise<void> | undefined;

  const isSubscribed = () => performance.now() - lastBeatAtMs < silentNodeAfterMs;
  const pause = (ms: number) => sleep(ms, undefined, { signal: stopping.signal }).catch(() => {});

  async function receiveBeat(db: Pool): Promise<void> {
    const receivedAtMs = performance.now();
    await db`
      insert into nodes (node_id, heard_date, schema_number) values (${node}, clock_timestamp(), ${schemaNumber})
      on conflict (node_id) do update set heard_date = excluded.heard_date`;
    connectionFailures.succeeded();
    // Set after the insert: a node that uses its caches must be known to the nodes that wait for its answers.
    lastBeatAtMs = receivedAtMs;
  }

  async function receive(db: Pool, text: string): Promise<void> {
    const message = JSON.parse(text) as ClusterMessage;
    if (message.kind !== 'beat') await onMessage(db, message);
    else if (message.node === node) await receiveBeat(db);
  }

  /** Subscribes and sends beats on one connection; throws when no beat returns, so that `run` reconnects. */
  async function subscribeOnce(): Promise<void> {
    const db = connect();
    try {
      const onText = (text: string) =>
        void receive(db, text).then(
          () => messageFailures.succeeded(),
          (error: unknown) => messageFailures.failed({ error }, 'a cluster message could not be handled'),
        );
      await db.listen(channel, onText, onSubscribed);
      const since = performance.now();
      while (!stopping.signal.aborted) {
        await sendMessage(db, { kind: 'beat', node, id: '' });
        await pause(beatMs);
        if (performance.now() - since > silentNodeAfterMs && !isSubscribed()) throw new Error('no beat returned');
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
        await pause(reconnectMs);
      }
    }
  }

  return {
    isSubscribed,
    async start() {
      running = run();
      const deadline = performance.now() + silentNodeAfterMs;
      while (!isSubscribed() && performance.now() < deadline) await sleep(10);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

export async function sendMessage(db: Db, message: ClusterMessage): Promise<void> {
  await db`select pg_notify(${channel}, ${JSON.stringify(message)})`;
}
