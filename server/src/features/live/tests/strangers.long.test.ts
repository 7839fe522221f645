import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { createTestDatabase } from '@earshot/server/testing/database';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '../../../platform/database/connect.ts';
import { openStream } from './stream.ts';

const writers = 8;
const changes = 10_000;

/** Writes and commits in the other database, and keeps one transaction after the other open for a minute each. */
async function makeStranger(): Promise<{ stop(): Promise<void> }> {
  const other = await createTestDatabase({ isEmpty: true });
  const db = connect(other.url, { connections: 2, name: 'stranger' });
  await db`create table numbers (number int)`;
  const stopping = new AbortController();
  const keepOpen = async () => {
    while (!stopping.signal.aborted) {
      await db.begin(async (tx) => {
        await tx`insert into numbers values (1)`;
        for (let second = 0; second < 60 && !stopping.signal.aborted; second += 1) {
          // Not idle: the limit of idle transactions is not what is tested.
          await tx`select 1`;
          await sleep(1_000, undefined, { signal: stopping.signal }).catch(() => {});
        }
      });
    }
  };
  const work = async () => {
    while (!stopping.signal.aborted) {
      await db`insert into numbers values (2)`;
      await sleep(5);
    }
  };
  const running = [keepOpen(), work()];
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
      await db.end({ timeout: 1 });
      await other.drop();
    },
  };
}

test('beside a transaction of a stranger that stays open, the stream misses nothing and is not late', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const { credential } = await server.admin.withKey();
  const { key: deviceID = 0 } = await server.admin.session.createDevice({
    body: { deviceSerial: `d-${randomUUID()}` },
  });
  const stranger = await makeStranger();
  const stream = await openStream(server.url, server.admin);
  const start = stream.position;
  const answeredAt = new Map<string, number>();
  const sentAt = new Map<string, number>();
  let seen = 0;
  const watching = (async () => {
    while (sentAt.size < changes) {
      for (const change of stream.changes.slice(seen)) {
        if (change.event === 'event') sentAt.set(`${change.key} ${change.change}`, performance.now());
      }
      seen = stream.changes.length;
      await sleep(5);
    }
  })();
  let left = changes / 2;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      const client = createClient({ url: server.url, credential });
      while (left > 0) {
        left -= 1;
        const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
        answeredAt.set(`${eventID} created`, performance.now());
        await client.cancelEvent({ params: { eventID } });
        answeredAt.set(`${eventID} changed`, performance.now());
      }
    }),
  );
  await watching;
  stream.close();
  await stranger.stop();
  const delays = [...answeredAt].map(([id, atMs]) => Math.max(0, (sentAt.get(id) ?? Infinity) - atMs));
  const sorted = delays.toSorted((one, other) => one - other);
  process.stdout.write(
    `${delays.length} changes by ${writers} writers beside a stranger: sent after a median of ` +
      `${sorted[sorted.length >> 1]?.toFixed(0)} ms, at most ${sorted.at(-1)?.toFixed(0)} ms\n`,
  );
  const [xid = '', key = ''] = start.split('-');
  const logged = await server.db<{ id: string }[]>`
    select xid::text || '-' || key as id from changes
    where (xid, key) > (${xid}::text::xid8, ${key}::bigint) order by xid, key`;
  expect(stream.changes.map(({ id }) => id)).toEqual(logged.map(({ id }) => id));
  expect(logged.length).toBeGreaterThanOrEqual(changes);
});
