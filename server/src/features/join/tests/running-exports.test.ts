import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Event } from '@earshot/contract/event';
import type { Db } from '@earshot/server/platform/database/connect';
import { inTransaction } from '@earshot/server/platform/database/connect';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { addDevice, exportStart, lend } from './lent-device.ts';

// What happens to an export whose maker or device changes after it has begun and before its result is stored.

let server: TestServer;
let receiver: Receiver;
/** Requests with sound that the receiver has not answered yet. */
let unanswered: ServerResponse[];
let owner: Person;
let reader: Person;
let deviceID: number;
let intoDeviceID: number;

beforeAll(async () => {
  server = await startTestServer({ allowNetworks: ['127.0.0.0/8'] });
  receiver = await startReceiver((_request, response) => void unanswered.push(response));
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});
beforeEach(async () => {
  unanswered = [];
  [owner, reader] = [await server.addPerson(), await server.addPerson()];
  deviceID = await addDevice(owner);
  await lend(owner, deviceID, reader);
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

/** Runs an export until it would store its result; it does so after `meanwhile`. */
async function runExport(maker: Person, meanwhile: (tx: Db) => Promise<unknown>): Promise<Event> {
  const ask = ({ session }: Person, more = {}) =>
    session.exportAudioClips({ body: { deviceID, startEpoch: exportStart, endEpoch: exportStart + 60, ...more } });
  // Takes the one place that the owner's joins have, until the receiver answers.
  await ask(owner, { uploadURL: `http://127.0.0.1:${receiver.port}/held` });
  await vi.waitFor(() => expect(unanswered).toHaveLength(1), { interval: 20 });
  const open = await ask(maker);
  const waiting = () => server.db`
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like 'select 1 from users where key%'`;
  await inTransaction(server.db, async (tx) => {
    await tx`select 1 from users where key = ${maker.userID} for no key update`;
    unanswered[0]?.writeHead(200).end();
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { interval: 20 });
    await meanwhile(tx);
  });
  return ended(open);
}

test('its maker is disabled: the result is not stored', async () => {
  const event = await runExport(reader, (tx) => tx`update users set disabled = true where key = ${reader.userID}`);
  expect(event).toMatchObject({ eventStatus: 5, attemptNumber: 1, result: expect.stringContaining('is disabled') });
  expect(await countFiles()).toBe(0);
});

test('its device is merged into another: the result is a file of that device', async () => {
  const event = await runExport(owner, merge);
  expect(event).toMatchObject({ eventStatus: 4, attemptNumber: 1, deviceID: intoDeviceID });
  const params = { fileID: fileOf(event) };
  expect(await owner.session.getFile({ params })).toMatchObject({ deviceID: intoDeviceID, fileStatus: 1 });
  expect((await (await owner.session.getFileContent({ params })).arrayBuffer()).byteLength).toBeGreaterThan(1_000);
});

test('its device is merged into another that its maker may not read: the result is not stored', async () => {
  const event = await runExport(reader, merge);
  expect(event).toMatchObject({
    eventStatus: 5,
    deviceID: intoDeviceID,
    result: expect.stringContaining('may no longer read the device'),
  });
  expect(await countFiles()).toBe(0);
});
