import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Event } from '@earshot/contract/event';
import type { Db, Pool } from '@earshot/server/platform/database/connect';
import { connect, inTransaction } from '@earshot/server/platform/database/connect';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { publishResult, reserveFile } from '../export-result.ts';
import { addDevice, exportStart, lend } from './lent-device.ts';

// What happens to exports and joins whose maker, device or event changes after they were taken and before their result is kept.

let server: TestServer;
/** Beside the connections of `server.db`. */
let other: Pool;
let receiver: Receiver;
/** Requests with sound that the receiver has not answered yet. */
let unanswered: ServerResponse[];
let owner: Person;
let reader: Person;
let deviceID: number;
let intoDeviceID: number;
let collectionID: number;
let lookups: number;
/** Names are resolved after it. */
let mayResolve: Promise<void>;

beforeAll(async () => {
  server = await startTestServer(
    { allowNetworks: ['127.0.0.0/8'] },
    {
      lookup: async () => {
        lookups++;
        await mayResolve;
        return [{ address: '127.0.0.1', family: 4 }];
      },
    },
  );
  other = connect(server.databaseUrl, { connections: 1, name: 'earshot test' });
  receiver = await startReceiver((_request, response) => void unanswered.push(response));
});
afterAll(async () => {
  await other.end();
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  unanswered = [];
  receiver.requests.length = 0;
  [lookups, mayResolve] = [0, Promise.resolve()];
  [owner, reader] = [await server.addPerson(), await server.addPerson()];
  deviceID = await addDevice(owner);
  collectionID = await lend(owner, deviceID, reader);
  intoDeviceID = (await owner.session.createDevice({ body: { deviceSerial: randomUUID() } })).key ?? 0;
});

const merge = () => owner.session.mergeDevice({ params: { deviceID }, body: { intoDeviceID } });
const fileOf = ({ result }: Event): number => (JSON.parse(result ?? '{}') as { fileID: number }).fileID;
const countFiles = async (): Promise<number> => {
  const rows = await server.db`
    select 1 from files where device_id in (${deviceID}, ${intoDeviceID}) and filename like 'joined-%'`;
  return rows.length;
};

const ended = ({ key: eventID = 0 }: Event): Promise<Event> =>
  vi.waitFor(
    async () => {
      const event = await owner.session.getEvent({ params: { eventID } });
      expect(event.eventStatus).toBeGreaterThan(3);
      return event;
    },
    { interval: 50 },
  );

type Ask = (person: Person, more?: { uploadURL?: string }) => Promise<Event>;
const range = () => ({ deviceID, startEpoch: exportStart, endEpoch: exportStart + 60 });
const askExport: Ask = ({ session }, more) => session.exportAudioClips({ body: { ...range(), ...more } });
const askJoin: Ask = ({ session }, more) =>
  session.concatenateAudioClips({ query: { usevrs: true }, body: { ...range(), ...more } });
const kinds: [string, Ask][] = [
  ['an export', askExport],
  ['a join', askJoin],
];

/** Resolves when a statement that begins like this waits for a lock. */
const waiting = (statement: string) =>
  vi.waitFor(
    async () => {
      const rows = await server.db`
        select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and ltrim(query, E' \n') like ${`${statement}%`}`;
      expect(rows).toHaveLength(1);
    },
    { interval: 20 },
  );
const lockOfRight = 'select e.device_id as "deviceID", e.event_status';

/** Runs a join until it would store its result; it does so after `meanwhile`. */
async function runUntilStored(ask: Ask, maker: Person, meanwhile: (tx: Db) => Promise<unknown>): Promise<Event> {
  // Takes the one place that the owner's joins have, until the receiver answers.
  await askExport(owner, { uploadURL: `http://127.0.0.1:${receiver.port}/held` });
  await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
  const open = await ask(maker);
  await inTransaction(server.db, async (tx) => {
    await tx`select 1 from users where key = ${maker.userID} for no key update`;
    unanswered[0]?.writeHead(200).end();
    await waiting('select 1 from users where key');
    await meanwhile(tx);
  });
  return ended(open);
}

/** Runs a join until it would open the first clip; it does so when `meanwhile` calls `goOn`, or after it. */
async function runUntilJoined(
  ask: Ask,
  maker: Person,
  meanwhile: (eventID: number, goOn: () => void) => Promise<unknown>,
): Promise<Event> {
  let goOn = () => {};
  mayResolve = new Promise((resolve) => (goOn = resolve));
  const open = await ask(maker, { uploadURL: `http://receiver.example.org:${receiver.port}/sound` });
  await vi.waitFor(() => expect(lookups).toBe(1), { interval: 20 });
  await meanwhile(open.key ?? 0, goOn);
  goOn();
  return open;
}

test.each(kinds)('the maker of %s is disabled: the result is not stored', async (_what, ask) => {
  await owner.session.updateCollection({ params: { collectionID }, body: { memberAccess: 'write' } });
  const event = await runUntilStored(
    ask,
    reader,
    (tx) => tx`update users set disabled = true where key = ${reader.userID}`,
  );
  expect(event).toMatchObject({ eventStatus: 5, attemptNumber: 1, result: expect.stringContaining('is disabled') });
  expect(await countFiles()).toBe(0);
});

async function expectStoredAfterMerge(event: Event): Promise<void> {
  expect(event).toMatchObject({ eventStatus: 4, attemptNumber: 1, deviceID: intoDeviceID });
  const params = { fileID: fileOf(event) };
  expect(await owner.session.getFile({ params })).toMatchObject({ deviceID: intoDeviceID, fileStatus: 1 });
  expect((await (await owner.session.getFileContent({ params })).arrayBuffer()).byteLength).toBeGreaterThan(1_000);
}

test.each(kinds)('the device of %s was merged into another: the result is a file of that device', async (_what, ask) =>
  expectStoredAfterMerge(await runUntilStored(ask, owner, merge)),
);

test.each(kinds)('the device of %s is being merged: the result is a file of the other device', async (_what, ask) => {
  let merging: Promise<unknown> = Promise.resolve();
  const result = await inTransaction(other, async (tx) => {
    // Merging waits for the files when it has locked the device and its events.
    await tx`select 1 from files where device_id = ${deviceID} for update`;
    const event = runUntilStored(ask, owner, () => {
      merging = merge();
      return waiting('select 1 from files where device_id');
    });
    await waiting(lockOfRight);
    return { event };
  });
  await merging;
  await expectStoredAfterMerge(await result.event);
});

test('the device of an export was merged into another that its maker may not read: the result is not stored', async () => {
  const event = await runUntilStored(askExport, reader, merge);
  expect(event).toMatchObject({
    eventStatus: 5,
    deviceID: intoDeviceID,
    result: expect.stringContaining('may no longer read the device'),
  });
  expect(await countFiles()).toBe(0);
});

test.each(kinds)(
  'the device of %s is merged into another before its clips are opened: it has their sound',
  async (_what, ask) => {
    const open = await runUntilJoined(ask, owner, merge);
    await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
    unanswered[0]?.writeHead(200).end();
    expect(await ended(open)).toMatchObject({ eventStatus: 4, attemptNumber: 1, deviceID: intoDeviceID });
    expect(receiver.requests[0]?.headers['content-type']).toBe('audio/wav');
  },
);

test.each(kinds)('the maker of %s loses the right while it is joined: nothing is sent', async (_what, ask) => {
  await owner.session.updateCollection({ params: { collectionID }, body: { memberAccess: 'write' } });
  const lose = () => owner.session.deleteCollection({ params: { collectionID } });
  expect(await ended(await runUntilJoined(ask, reader, lose))).toMatchObject({
    eventStatus: 5,
    attemptNumber: 1,
    result: expect.stringContaining('may no longer read the device'),
  });
  expect(receiver.requests).toEqual([]);
});

test.each(kinds)('the event of %s is removed after its clips were joined: nothing is sent', async (_what, ask) => {
  await runUntilJoined(ask, owner, (eventID, goOn) =>
    inTransaction(server.db, async (tx) => {
      await tx`select 1 from events where key = ${eventID} for update`;
      goOn();
      await waiting(lockOfRight);
      await tx`delete from events where key = ${eventID}`;
    }),
  );
  // The next one begins when the place of the removed one is free.
  const next = await askExport(owner, { uploadURL: `http://127.0.0.1:${receiver.port}/next` });
  await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
  unanswered[0]?.writeHead(200).end();
  expect(await ended(next)).toMatchObject({ eventStatus: 4 });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/next']);
});

test.each(kinds)('%s whose result was stored and whose end was lost has one result in the end', async (_kind, ask) => {
  const first = await ended(await ask(owner));
  const { key = 0 } = first;
  // The worker died between the two: the event waits for its next attempt.
  await server.db`update events set event_status = 1, result = null where key = ${key}`;
  const second = await ended(first);
  expect(second).toMatchObject({ eventStatus: 4, attemptNumber: 2 });
  expect(fileOf(second)).not.toBe(fileOf(first));
  expect(await countFiles()).toBe(1);
});

test.each(kinds)(
  '%s: an attempt after which another began stores nothing and takes nothing away',
  async (_kind, ask) => {
    const { key = 0 } = await ask(owner, { uploadURL: `http://127.0.0.1:${receiver.port}/held` });
    await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
    const parts = { db: other, exportLimits: { most: 10, mostBytes: 1_000_000 } };
    const result = { userID: null, filename: `joined-${key}.wav`, fileSize: 4, sha256: null, contentType: 'audio/wav' };
    const [former, present] = [0, 1].map((attemptNumber) => ({ key, attemptNumber }));
    const file = await reserveFile(parts, present!, result);
    await expect(reserveFile(parts, former!, result)).rejects.toThrow('cancelled or removed');
    await expect(publishResult(other, former!, file, 'audio/wav')).rejects.toThrow('cancelled or removed');
    expect(await countFiles()).toBe(1);
    await publishResult(other, present!, file, 'audio/wav');
    unanswered[0]?.writeHead(200).end();
  },
);
