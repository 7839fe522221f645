import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { listen } from '@earshot/client/live';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Change, Stream } from './stream.ts';
import { openStream } from './stream.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const addDevice = (deviceSerial = `d-${randomUUID()}`) => server.admin.session.createDevice({ body: { deviceSerial } });

/** The log of changes, in order. */
async function loggedAfter(position: string): Promise<readonly string[]> {
  const [xid = '', key = ''] = position.split('-');
  const rows = await server.db<{ id: string }[]>`
    select xid::text || '-' || key as id from changes
    where (xid, key) > (${xid}::text::xid8, ${key}::bigint) order by xid, key`;
  return rows.map(({ id }) => id);
}

const ids = (changes: readonly Change[]) => changes.map(({ id }) => id);

const untilMarked = async (stream: Stream) => stream.untilDevice((await addDevice()).key);

test('a stream that is cut repeatedly misses and repeats nothing, while two nodes write', async () => {
  const other = await server.addNode();
  const { credential } = await server.admin.withKey();
  const urls = [server.url, other.url];
  const writers = urls.map((url) => createClient({ url, credential }));
  const begin = await openStream(server.url, { credential });
  const start = begin.position;
  begin.close();

  const { key: deviceID = 0 } = await addDevice();
  const unfinished = { count: 6 };
  const writing = Promise.all(
    [...writers, ...writers, ...writers].map(async (client) => {
      for (let round = 0; round < 25; round += 1) {
        const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
        await client.cancelEvent({ params: { eventID } });
      }
      unfinished.count -= 1;
    }),
  );

  const received: string[] = [];
  let position = start;
  for (let turn = 0; unfinished.count > 0; turn += 1) {
    const stream = await openStream(urls[turn % 2] ?? '', { credential }, position);
    await Promise.race([stream.until(() => stream.changes.length >= 20), writing]);
    stream.close();
    await stream.ended;
    received.push(...ids(stream.changes));
    position = stream.position;
  }
  await writing;
  const last = await openStream(other.url, { credential }, position);
  await untilMarked(last);
  received.push(...ids(last.changes));
  last.close();
  expect(received.length).toBeGreaterThan(300);
  expect(received).toEqual(await loggedAfter(start));
});

test('changes of a transaction that commits after later ones are not lost', async () => {
  const stream = await openStream(server.url, server.admin);
  const start = stream.position;
  const { key: slow = 0 } = await addDevice();
  let commit = () => {};
  let begun = () => {};
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const late = server.db.begin(async (tx) => {
    await tx`
      insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${slow}, ${slow})`;
    begun();
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await isBegun;
  const fast = await addDevice();
  // A new listener must not begin after changes that it could not see.
  const newcomer = await openStream(server.url, server.admin);
  // Time for two reads, in which a reader in commit order would miss the late change.
  await sleep(1_500);
  expect(stream.changes.some(({ key }) => key === fast.key)).toBe(false);
  commit();
  await late;
  await untilMarked(stream);
  await untilMarked(newcomer);
  const isSlow = ({ key, change }: Change) => key === slow && change === 'changed';
  for (const { changes } of [stream, newcomer]) {
    expect(changes.filter(isSlow)).toHaveLength(1);
    expect(changes.filter(({ key }) => key === fast.key)).toHaveLength(1);
  }
  const truth = await loggedAfter(start);
  expect(ids(stream.changes)).toEqual(truth.slice(0, stream.changes.length));
  stream.close();
  newcomer.close();
});

test('two listeners miss and repeat nothing during a restart of their server', async () => {
  const own = await startTestServer();
  try {
    const { credential } = await own.admin.withKey();
    const start = await openStream(own.url, { credential });
    const closing = new AbortController();
    const listeners = [0, 1].map(async () => {
      const received: { id: string; key: number | undefined }[] = [];
      for await (const message of listen(
        { url: own.url, credential },
        { lastEventID: start.position, signal: closing.signal },
      )) {
        if (message.event !== 'reset') received.push({ id: message.id, key: message.key });
        if (message.event === 'collection') return received;
      }
      return received;
    });
    const client = createClient({ url: own.url, credential });
    const add = () => client.createDevice({ body: { deviceSerial: `d-${randomUUID()}` } });
    for (let count = 0; count < 5; count += 1) await add();
    await start.until(() => start.changes.length === 5);
    await own.node.stop();
    await start.ended;
    // Changes while no server runs must be sent too.
    await own.db`insert into changes (kind, change, record_key, device_id) values ('device', 'changed', ${start.changes[0]?.key ?? 0}, ${start.changes[0]?.key ?? 0})`;
    await own.addNode({ port: Number(new URL(own.url).port) });
    for (let count = 0; count < 5; count += 1) await add();
    await client.createCollection({ body: { collectionName: 'the last' } });
    const truth = await own.db<{ id: string }[]>`
      select xid::text || '-' || key as id from changes
      where (xid, key) > (${start.events[0]?.id?.split('-')[0] ?? ''}::text::xid8, ${start.events[0]?.id?.split('-')[1] ?? ''}::bigint)
      order by xid, key`;
    for (const received of await Promise.all(listeners)) {
      expect(received).toHaveLength(12);
      expect(received.map(({ id }) => id)).toEqual(truth.map(({ id }) => id));
    }
    closing.abort();
  } finally {
    await own.stop();
  }
});

test('a position may be given in the query, and an unknown one starts with a reset', async () => {
  const stream = await openStream(server.url, server.admin);
  const { key } = await addDevice();
  const first = await stream.untilDevice(key);
  const { key: next } = await addDevice();
  const response = await fetch(new URL(`/v1/live?lastEventID=${first.id}`, server.url), {
    headers: { cookie: server.admin.cookie },
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(`"key":${next}`)) text += (await reader?.read())?.value ?? '';
  expect(text).not.toContain(`"key":${key},`);
  await reader?.cancel();
  stream.close();

  for (const unknown of ['0-1', '999999999999999-1']) {
    await server.db`update change_sweep set xid = '1', key = 1`;
    const again = await openStream(server.url, server.admin, unknown);
    const reset = await again.untilEvent(({ event }) => event === 'reset');
    expect(reset).toMatchObject({ data: '{}', id: expect.stringMatching(/^\d+-\d+$/) });
    await untilMarked(again);
    expect(again.changes).toHaveLength(1);
    again.close();
  }
  for (const wrong of ['x', '1', '-1-1', '1-1-1', '99999999999999999999-1']) {
    await expect(openStream(server.url, server.admin, wrong)).rejects.toThrow('no stream: 400');
  }
});
