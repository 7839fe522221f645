import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Pool } from './database/connect.ts';
import { inTransaction } from './database/connect.ts';
import { createFailureLog } from './failure-log.ts';
import type { Log } from './log.ts';

/*
 * The nodes of one database, and how one tells the others that something they may remember is no longer true.
 *
 * Each node listens on one channel and sends itself a beat a second through the database. A beat that comes back
 * proves that every earlier announcement has been heard too: PostgreSQL delivers in order. While no beat came back
 * for `deafAfterMs`, the node must not rely on what it remembers (`hearing` is false). Nor does a connection know
 * what was announced before it listened: whenever one begins to, everything is announced away.
 *
 * An announcement is part of the transaction that made it necessary, so it is sent exactly when that commits.
 * Whoever made it then waits until every node that was heard of lately has answered it. A node that does not
 * answer within `answerWithinMs` has stopped relying on its memory by then, so the wait is bounded and its end
 * is a fact: no node acts on what was announced away.
 */

const channel = 'earshot_cluster';
const beatMs = 1_000;
const deafAfterMs = 3_000;
// A beat may be on its way while the announcement commits; the second covers its journey.
const answerWithinMs = deafAfterMs + 1_000;
const livingSeconds = 10;
// PostgreSQL takes 8,000 bytes in one message; a change of more records is announced as one of everything.
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

/** Acts on an announcement; undefined when anything may have been announced unheard. */
type Act = (subjects: readonly number[] | undefined) => void;

export interface Change<Result> {
  readonly result: Result;
  /** The keys of the records that are no longer as they were. */
  readonly subjects: readonly number[];
}

export interface Cluster {
  /** Whether this node can be sure to have heard every announcement up to about a second ago. */
  readonly hearing: boolean;
  /** Acts on what is announced or told, by this node too; several may act on one topic. */
  onAnnouncement(topic: string, act: Act): void;
  /** Tells every node, without waiting for any: for news that may be lost at no harm. */
  tell(db: Db, topic: string, subjects: readonly number[]): Promise<void>;
  /** Makes a change in one transaction with its announcement, and returns when no node relies on what was before. */
  change<Result>(db: Pool, topic: string, work: (tx: Db) => Promise<Change<Result>>): Promise<Result>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function createCluster(connectListener: () => Pool, log: Log): Cluster {
  const node = randomUUID();
  const acts: { topic: string; act: Act }[] = [];
  const waiting = new Map<string, Waiting>();
  const stopping = new AbortController();
  const connectionFailures = createFailureLog((fields, message) => log.warn(fields, message));
  const messageFailures = createFailureLog((fields, message) => log.warn(fields, message));
  let heardAtMs = -Infinity;
  let running: Promise<void> | undefined;

  const hearing = () => performance.now() - heardAtMs < deafAfterMs;

  function actOn(topic: string | undefined, subjects: readonly number[] | undefined): void {
    for (const entry of acts) if (entry.topic === topic) entry.act(subjects);
  }

  async function receive(db: Pool, text: string): Promise<void> {
    const message = JSON.parse(text) as Message;
    if (message.kind === 'beat' && message.node === node) {
      const receivedAtMs = performance.now();
      await db`
        insert into nodes (node_id, heard_date) values (${node}, clock_timestamp())
        on conflict (node_id) do update set heard_date = excluded.heard_date`;
      connectionFailures.succeeded();
      // Only now: whoever relies on its memory must be known to those who wait for its answers.
      heardAtMs = receivedAtMs;
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

  /** Listens and beats on one connection until it goes deaf, then leaves it to be replaced. */
  async function listenOnce(): Promise<void> {
    const db = connectListener();
    try {
      const hear = (text: string) =>
        void receive(db, text).then(
          () => messageFailures.succeeded(),
          (error: unknown) => messageFailures.failed({ error }, 'cluster message not handled'),
        );
      // Called again when the driver has replaced a lost connection by itself.
      await db.listen(channel, hear, () => acts.forEach(({ act }) => act(undefined)));
      const since = performance.now();
      while (!stopping.signal.aborted) {
        await send(db, { kind: 'beat', node, id: '' });
        await sleep(beatMs, undefined, { signal: stopping.signal }).catch(() => {});
        if (performance.now() - since > deafAfterMs && !hearing()) throw new Error('no beat came back');
      }
      await db`delete from nodes where node_id = ${node} or heard_date < now() - interval '1 day'`;
    } finally {
      await db.end({ timeout: 1 });
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await listenOnce();
      } catch (error) {
        if (!stopping.signal.aborted) {
          connectionFailures.failed({ error }, 'the cluster connection was lost; trying again');
        }
        await sleep(250, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  return {
    get hearing() {
      return hearing();
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
        // This node need not wait for its own message to come round.
        actOn(topic, subjects);
        await answers(entry);
        return result;
      } finally {
        waiting.delete(id);
      }
    },
    async start() {
      running = run();
      const deadline = performance.now() + deafAfterMs;
      while (!hearing() && performance.now() < deadline) await sleep(10);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** Tells every node, and says which of them must answer. */
async function announce(tx: Db, message: Message): Promise<Set<string>> {
  const rows = await tx<{ node: string }[]>`
    select node_id as node from nodes
    where heard_date > clock_timestamp() - make_interval(secs => ${livingSeconds})`;
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
