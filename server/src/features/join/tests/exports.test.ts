import type { ServerResponse } from 'node:http';
import type { Event } from '@earshot/contract/event';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { tinyWav } from '../../file/tests/sound.ts';
import { addDevice, exportStart as start, lend } from './lent-device.ts';

const exportLimits = { most: 5, mostBytes: 100_000 };
let server: TestServer;
let receiver: Receiver;
let owner: Person;
let reader: Person;
let deviceID: number;
let collectionID: number;
/** Requests with sound that the receiver has not answered yet. */
let unanswered: ServerResponse[];

beforeAll(async () => {
  server = await startTestServer({
    allowNetworks: ['127.0.0.0/8'],
    eventTimes: { leaseSeconds: 300, retrySeconds: 1 },
    fileSweepSeconds: 1,
    exportLimits,
  });
  // Outcomes of earlier tests may arrive at any time.
  receiver = await startReceiver(({ path }, response) =>
    path === '/outcome' ? void response.writeHead(200).end() : void unanswered.push(response),
  );
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  unanswered = [];
  [owner, reader] = [await server.addPerson(), await server.addPerson()];
  deviceID = await addDevice(owner);
  collectionID = await lend(owner, deviceID, reader);
});

/** Another length is another request. */
const ask = ({ session }: Person, seconds = 60, more = {}): Promise<Event> =>
  session.exportAudioClips({ body: { deviceID, startEpoch: start, endEpoch: start + seconds, ...more } });

const ended = ({ key: eventID = 0 }: Event, { session }: Person = owner): Promise<Event> =>
  vi.waitFor(
    async () => {
      const event = await session.getEvent({ params: { eventID } });
      expect(event.eventStatus).toBeGreaterThan(3);
      return event;
    },
    { interval: 50 },
  );

const fileOf = ({ result }: Event): number => (JSON.parse(result ?? '{}') as { fileID: number }).fileID;
const madeBy = async (person: Person, seconds?: number): Promise<number> =>
  fileOf(await ended(await ask(person, seconds)));

const listed = async ({ session }: Person) => (await session.listSoundExports()).exports;
const countFiles = async (): Promise<number> => {
  const rows = await server.db`select 1 from files where device_id = ${deviceID} and filename like 'joined-%'`;
  return rows.length;
};

/** Takes the one place that an owner's joins have, until the receiver answers. */
async function holdPlace(): Promise<() => void> {
  await ask(owner, 10, { uploadURL: `http://127.0.0.1:${receiver.port}/held` });
  await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
  return () => void unanswered[0]?.writeHead(200).end();
}

describe('equal requests of one person are one', () => {
  test('at once, in progress, and while the result is kept', async () => {
    const release = await holdPlace();
    const events = await Promise.all(Array.from({ length: 40 }, () => ask(reader)));
    expect(new Set(events.map(({ key }) => key)).size).toBe(1);
    release();
    const done = await ended(events[0]!);
    expect(await ask(reader)).toMatchObject({ key: done.key, eventStatus: 4, result: done.result });
    // The same request in other words.
    expect(await ask(reader, 60, { format: 'wav', gaps: 'silence', timeout: 'PT1H' })).toMatchObject({ key: done.key });
    expect(await countFiles()).toBe(1);
  });

  test('not if another person asks, a parameter differs, or something is sent to an address', async () => {
    const release = await holdPlace();
    const postbackURL = `http://127.0.0.1:${receiver.port}/outcome`;
    const asked = [
      await ask(reader),
      await ask(owner),
      await ask(reader, 59),
      await ask(reader, 60, { gaps: 'close' }),
      await ask(reader, 60, { postbackURL }),
      await ask(reader, 60, { postbackURL }),
    ];
    expect(new Set(asked.map(({ key }) => key)).size).toBe(6);
    release();
  });

  test('not if the sound or the time of a clip has changed, nor after the result was removed', async () => {
    const first = await ask(reader);
    const fileID = fileOf(await ended(first));
    const [clip] = await owner.session.listAudioClips({ body: { deviceID } });
    const params = { audioClipID: clip?.key ?? 0 };
    await owner.session.putAudioClipContent({ params, body: tinyWav(2, 900) });
    const second = await ask(reader);
    expect(second.key).not.toBe(first.key);
    await ended(second);
    await owner.session.updateAudioClip({ params, body: { startTime: start + 1 } });
    const third = await ask(reader);
    expect([first.key, second.key]).not.toContain(third.key);
    const thirdFile = fileOf(await ended(third));
    await reader.session.deleteFile({ params: { fileID: thirdFile } });
    expect((await ask(reader)).key).not.toBe(third.key);
    expect(fileID).not.toBe(thirdFile);
  });

  test('not after a failure', async () => {
    const release = await holdPlace();
    const first = await ask(reader);
    await reader.session.cancelEvent({ params: { eventID: first.key ?? 0 } });
    expect((await ask(reader)).key).not.toBe(first.key);
    release();
  });
});

describe('the limit of exports of other people’s devices', () => {
  test('holds for their number, also for many requests at once, and not for the owner', async () => {
    const release = await holdPlace();
    const asked = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => ask(reader, 20 + at)));
    const refused = asked.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(35);
    expect(refused[0]).toMatchObject({ status: 429, message: expect.stringMatching(/5 is the limit.*Delete one/) });
    for (let at = 0; at < 7; at++) await ask(owner, 20 + at);
    expect(await reader.session.listSoundExports()).toMatchObject({
      mostExports: 5,
      countedExports: 5,
      countedBytes: 0,
    });
    release();
    for (const each of asked) if (each.status === 'fulfilled') await ended(each.value);
  });

  test('is free again when an export is cancelled or deleted', async () => {
    const made = await madeBy(reader);
    const release = await holdPlace();
    const open = [];
    for (let at = 0; at < 4; at++) open.push(await ask(reader, 20 + at));
    await expect(ask(reader, 30)).rejects.toMatchObject({ status: 429 });
    await reader.session.cancelEvent({ params: { eventID: open[0]?.key ?? 0 } });
    await ask(reader, 30);
    await expect(ask(reader, 31)).rejects.toMatchObject({ status: 429 });
    await reader.session.deleteFile({ params: { fileID: made } });
    await ask(reader, 31);
    release();
  });

  test('holds for their bytes when they are written', async () => {
    for (const seconds of [20, 21, 22]) await madeBy(reader, seconds);
    const before = await countFiles();
    const failed = await ended(await ask(reader, 23));
    expect(failed).toMatchObject({ eventStatus: 5, attemptNumber: 1 });
    expect(failed.result).toMatch(/exceeds the limit.*delete some of them/);
    expect(await countFiles()).toBe(before);
    expect(await ended(await ask(owner, 23))).toMatchObject({ eventStatus: 4 });
  });

  test('holds for their bytes when they are asked for', async () => {
    const fileID = await madeBy(reader);
    await server.db`update files set file_size = ${exportLimits.mostBytes} where key = ${fileID}`;
    await expect(ask(reader, 20)).rejects.toMatchObject({ status: 429, message: expect.stringContaining('MB') });
    expect(await ask(reader)).toMatchObject({ eventStatus: 4 });
  });

  test('does not count exports of devices that the person can no longer read', async () => {
    for (const seconds of [20, 21, 22]) await madeBy(reader, seconds);
    await owner.session.deleteCollection({ params: { collectionID } });
    deviceID = await addDevice(owner);
    await lend(owner, deviceID, reader);
    expect(await ended(await ask(reader, 20))).toMatchObject({ eventStatus: 4 });
  });
});

describe('the maker of an export', () => {
  test('is noted; the owner sees it too, and other readers do not', async () => {
    const fileID = await madeBy(reader);
    const other = await server.addPerson();
    await owner.session.addCollectionItem({
      params: { collectionItemID: collectionID },
      body: { itemType: 'user', itemID: other.userID },
    });
    const asked = { startEpoch: start, endEpoch: start + 60, format: 'wav' };
    const made = { deviceID, userID: reader.userID, fileID, eventStatus: 4, removalDate: expect.any(String) };
    const expected = { ...made, ...asked };
    for (const person of [reader, owner]) expect(await listed(person)).toEqual([expect.objectContaining(expected)]);
    expect(await listed(other)).toEqual([]);
  });

  test('cancels it, and nothing of it is kept', async () => {
    const release = await holdPlace();
    const [pending, kept] = [await ask(reader, 20), await ask(reader, 21)];
    const params = { eventID: pending.key ?? 0 };
    await reader.session.cancelEvent({ params });
    expect(await ended(pending)).toMatchObject({ eventStatus: 7 });
    const history = await owner.session.listEventHistory({ params });
    expect(history.at(-1)).toMatchObject({ cause: 'cancelled', userID: reader.userID });
    release();
    expect(await ended(kept)).toMatchObject({ eventStatus: 4 });
    expect(await countFiles()).toBe(1);
  });

  test('deletes its result, which is told in the audit trail', async () => {
    const fileID = await madeBy(reader);
    await reader.session.deleteFile({ params: { fileID } });
    expect(await listed(owner)).toEqual([]);
    const { results } = await owner.session.listAuditEntries({ body: { deviceID } });
    const acts = results.map(({ action, userID, recordID }) => ({ action, userID, recordID }));
    expect(acts).toContainEqual({ action: 'file-removed', userID: reader.userID, recordID: fileID });
    expect(acts.filter(({ action }) => action === 'sound-exported')).toHaveLength(1);
  });

  test('cancels and deletes nothing that another person asked for', async () => {
    const fileID = await madeBy(owner);
    const release = await holdPlace();
    const open = await ask(owner, 20);
    const joined = await owner.session.concatenateAudioClips({
      query: { usevrs: true },
      body: { deviceID, startEpoch: start },
    });
    for (const { key: eventID = 0 } of [open, joined])
      await expect(reader.session.cancelEvent({ params: { eventID } })).rejects.toMatchObject({ status: 403 });
    await expect(reader.session.deleteFile({ params: { fileID } })).rejects.toMatchObject({ status: 403 });
    release();
  });
});

describe('when the right is lost', () => {
  test('an export in progress is neither stored nor sent', async () => {
    const release = await holdPlace();
    const uploadURL = `http://127.0.0.1:${receiver.port}/lost`;
    const asked = [await ask(reader, 20), await ask(reader, 21, { uploadURL })];
    await owner.session.deleteCollection({ params: { collectionID } });
    release();
    for (const event of asked) {
      expect(await ended(event)).toMatchObject({
        eventStatus: 5,
        attemptNumber: 1,
        result: expect.stringContaining('may no longer read the device'),
      });
    }
    expect([await countFiles(), unanswered.length]).toEqual([0, 1]);
  });

  test('a result can no longer be read, cancelled, deleted or listed by its maker', async () => {
    const fileID = await madeBy(reader);
    await owner.session.deleteCollection({ params: { collectionID } });
    for (const call of [reader.session.getFileContent, reader.session.deleteFile])
      await expect(call({ params: { fileID } })).rejects.toMatchObject({ status: 404 });
    expect(await listed(reader)).toEqual([]);
    expect((await owner.session.getFileContent({ params: { fileID } })).status).toBe(200);
  });
});

test('when its maker is removed, an export is not made, and its result is removed', async () => {
  await madeBy(reader);
  const release = await holdPlace();
  const open = await ask(reader, 20);
  await server.admin.session.deleteUser({ params: { userID: reader.userID } });
  release();
  expect(await ended(open)).toMatchObject({ eventStatus: 5, result: expect.stringContaining('was removed') });
  await vi.waitFor(async () => expect(await countFiles()).toBe(0), { interval: 100 });
  const noted = () => server.db`
    select 1 from sound_exports x join events e on e.key = x.event_id where e.device_id = ${deviceID}`;
  await vi.waitFor(async () => expect(await noted()).toHaveLength(0), { interval: 100 });
});

test('what a cancelled export has begun to write is removed', async () => {
  const fileID = await madeBy(reader);
  // As if it had been cancelled between the last byte and its end.
  await server.db`update events set event_status = 7 where device_id = ${deviceID}`;
  await vi.waitFor(() => expect(owner.session.getFile({ params: { fileID } })).rejects.toMatchObject({ status: 404 }), {
    interval: 100,
  });
});
