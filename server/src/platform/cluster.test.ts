import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TestDatabase } from '../testing/database.ts';
import { administer, createTestDatabase } from '../testing/database.ts';
import { silentLog } from '../testing/log.ts';
import type { Cluster } from './cluster.ts';
import { createCluster } from './cluster.ts';
import type { Pool } from './database/connect.ts';
import { connect } from './database/connect.ts';

const topic = 'things';

let database: TestDatabase;
let db: Pool;
let name: string;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { connections: 3, name: 'earshot test' });
  name = new URL(database.url).pathname.slice(1);
  return async () => {
    await db.end({ timeout: 1 });
    await database.drop();
  };
});

interface Node {
  readonly cluster: Cluster;
  /** The received announcements in order; undefined if announcements may have been missed. */
  readonly heard: (readonly number[] | undefined)[];
  /** A cache like those of features: filled by the test, invalidated by announcements. */
  readonly remembers: Set<number>;
  /** Whether the node would use its cached entry. */
  reliesOn(subject: number): boolean;
}

async function startNode(applicationName: string): Promise<Node> {
  const cluster = createCluster(() => connect(database.url, { connections: 1, name: applicationName }), silentLog, 35);
  const heard: Node['heard'] = [];
  const remembers = new Set<number>();
  cluster.onAnnouncement(topic, (subjects) => {
    heard.push(subjects);
    if (!subjects) remembers.clear();
    for (const subject of subjects ?? []) remembers.delete(subject);
  });
  await cluster.start();
  onTestFinished(() => cluster.stop());
  return { cluster, heard, remembers, reliesOn: (subject) => cluster.isSubscribed && remembers.has(subject) };
}

const announce = (node: Node, ...subjects: number[]) =>
  node.cluster.change(db, topic, async () => ({ result: 'done', subjects }));

/** Terminates the connection on which a node receives notifications; the subscription opens a new one. */
async function cutListening(applicationName: string): Promise<void> {
  const rows = await db`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = ${applicationName} and query like 'listen%'`;
  expect(rows).toHaveLength(1);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(10);
}

describe('a change', () => {
  test('returns its result when every node has handled it', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    for (let subject = 1; subject <= 20; subject++) {
      one.remembers.add(subject);
      other.remembers.add(subject);
      const changer = subject % 2 ? one : other;
      expect(await announce(changer, subject)).toBe('done');
      expect([one.remembers.has(subject), other.remembers.has(subject)]).toEqual([false, false]);
    }
    expect(other.heard.slice(1).flat()).toEqual(expect.arrayContaining([1, 3, 5]));
  });

  test('many concurrent changes are all handled', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    await Promise.all(Array.from({ length: 50 }, (_, subject) => announce(subject % 2 ? one : other, subject)));
    for (const { heard } of [one, other]) {
      expect(new Set(heard.flat().filter((subject) => subject !== undefined)).size).toBe(50);
    }
  });

  test('that fails is rolled back and not announced', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    const failing = one.cluster.change(db, topic, async (tx) => {
      await tx`insert into setup_tokens (token_hash, expiration_date) values ('x', now())`;
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const refused = one.cluster.change(db, topic, async (tx) => {
      await tx`select 1 / 0`;
      return { result: undefined, subjects: [98] };
    });
    await expect(refused).rejects.toThrow('division by zero');
    expect(await db`select 1 from setup_tokens`).toEqual([]);
    // PostgreSQL delivers in order: an earlier notification would have arrived before this one.
    await announce(one, 99);
    expect(other.heard.filter((subjects) => subjects !== undefined)).toEqual([[99]]);
  });

  test('of very many records invalidates the whole topic', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    other.remembers.add(5);
    await announce(one, ...Array.from({ length: 5_000 }, (_, index) => 9_007_199_254_740_991 - index));
    expect(other.heard.at(-1)).toBeUndefined();
    expect(other.remembers.size).toBe(0);
    await announce(one, ...Array.from({ length: 5_000 }, () => 7));
    expect(other.heard.at(-1)).toEqual([7]);
  });

  test('is delivered to the handlers of its topic', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    const before = other.heard.length;
    await one.cluster.change(db, 'something else', async () => ({ result: undefined, subjects: [1] }));
    expect(other.heard).toHaveLength(before);
  });

  test('waits only for a limited time for a node that does not answer', async () => {
    const one = await startNode('one');
    await db`insert into nodes (node_id, heard_date) values ('crashed', now())`;
    onTestFinished(async () => void (await db`delete from nodes where node_id = 'crashed'`));
    expect(await announce(one, 1)).toBe('done');
  });
});

describe('a node whose subscription is lost', () => {
  test('invalidates its cache when it has subscribed again', async () => {
    const node = await startNode('cut');
    for (let round = 0; round < 3; round++) {
      node.remembers.add(1);
      const before = node.heard.length;
      await cutListening('cut');
      await until(() => node.heard.length > before);
      expect(node.heard.at(-1)).toBeUndefined();
      expect(node.remembers.size).toBe(0);
    }
    await until(() => node.cluster.isSubscribed);
  });

  test('does not use outdated entries after the change has returned', async () => {
    const [one, other] = [await startNode('one'), await startNode('other')];
    for (const subject of [1, 2]) {
      other.remembers.add(subject);
      await cutListening('other');
      await announce(one, subject);
      expect(other.reliesOn(subject)).toBe(false);
      await until(() => other.cluster.isSubscribed);
      expect(other.reliesOn(subject)).toBe(false);
      // Wait until it has subscribed again, so that there is a connection to terminate.
      await announce(one, -subject);
    }
  });

  test('is not subscribed while the database is down, and recovers afterwards', async () => {
    const node = await startNode('deaf');
    const letIn = () =>
      administer(database.url.replace(name, 'postgres'), `alter database ${name} allow_connections true`);
    onTestFinished(letIn);
    await administer(database.url.replace(name, 'postgres'), `alter database ${name} allow_connections false`);
    await db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'deaf'`;
    await until(() => !node.cluster.isSubscribed);
    node.remembers.add(1);
    expect(node.reliesOn(1)).toBe(false);

    await letIn();
    await until(() => node.cluster.isSubscribed);
    // Entries that were cached without a subscription are not used.
    expect(node.reliesOn(1)).toBe(false);
    const other = await startNode('other');
    await announce(other, 2);
    expect(node.heard.at(-1)).toEqual([2]);
  });
});

describe('the list of nodes', () => {
  const listed = async () => (await db`select node_id from nodes`).length;

  test('contains running nodes, not stopped ones', async () => {
    const before = await listed();
    const cluster = createCluster(() => connect(database.url, { connections: 1, name: 'brief' }), silentLog, 35);
    await cluster.start();
    expect(cluster.isSubscribed).toBe(true);
    while ((await listed()) !== before + 1) await sleep(10);
    await cluster.stop();
    expect(await listed()).toBe(before);
  });
});

test('a node that was never started is not subscribed', () => {
  expect(createCluster(() => db, silentLog, 35).isSubscribed).toBe(false);
});
