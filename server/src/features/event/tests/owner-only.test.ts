import { randomUUID } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

/* Update_software and Reboot may be sent by the owner of a device or an admin only, in whichever way. */

const release = { version: '1.0.0', sha256: 'a'.repeat(64) };
let server: TestServer;
let owner: Person;
let writer: Person;
let ownerKey: Client;
let writerKey: Client;
beforeAll(async () => {
  server = await startTestServer();
  [owner, writer] = [await server.addPerson(), await server.addPerson()];
  ownerKey = (await owner.withKey()).client;
  writerKey = (await writer.withKey()).client;
  await server.db`
    insert into agent_releases (sha256, program, version, file_size)
    values (${release.sha256}, 'agent', ${release.version}, 1), (${'b'.repeat(64)}, 'launch', ${release.version}, 1)`;
});
afterAll(() => server.stop());

/** A device of the owner that the writer may write, and the collection by which it is shared. */
async function shareDevice(): Promise<{ deviceID: number; deviceSerial: string; collectionID: number }> {
  const deviceSerial = randomUUID();
  const { key: deviceID = 0 } = await owner.session.createDevice({ body: { deviceSerial } });
  const { key: collectionID = 0 } = await owner.session.createCollection({
    body: { collectionName: 'Shared', memberAccess: 'write' },
  });
  const params = { collectionItemID: collectionID };
  await owner.session.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
  await owner.session.addCollectionItem({ params, body: { itemType: 'user', itemID: writer.userID } });
  return { deviceID, deviceSerial, collectionID };
}

const updateSoftware = { eventType: 'Update_software', eventParameters: JSON.stringify(release) };
const denied = { status: 403, message: expect.stringContaining('Only the owner or an admin may send') };
const eventsOf = (deviceID: number) => ownerKey.listEvents({ body: { deviceID } });

test('directly, by name, alias or id', async () => {
  const { deviceID, deviceSerial } = await shareDevice();
  const types = [updateSoftware, { eventType: 'Reboot' }, { eventType: 'reboot_DEVICE' }, { eventTypeID: 10 }];
  for (const type of types) {
    for (const client of [writerKey, writer.session]) {
      await expect(client.createEvent({ body: { deviceID, ...type } })).rejects.toMatchObject(denied);
      await expect(client.createEvent({ body: { deviceSerial, ...type } })).rejects.toMatchObject(denied);
    }
    expect(await ownerKey.createEvent({ body: { deviceID, ...type } })).toMatchObject({ eventStatus: 1 });
    expect(await server.admin.session.createEvent({ body: { deviceID, ...type } })).toMatchObject({ eventStatus: 1 });
  }
  expect(await writerKey.createEvent({ body: { deviceID, eventType: 'Restart_agents' } })).toMatchObject({
    eventStatus: 1,
  });
});

test('with a postback whose address has a secret, nothing is enqueued either', async () => {
  const { deviceID } = await shareDevice();
  const body = { deviceID, eventType: 'Reboot', postbackURL: 'https://example.org/?token=1' };
  await expect(writerKey.createEvent({ body })).rejects.toMatchObject(denied);
  expect(await eventsOf(deviceID)).toEqual([]);
});

test('by a preset of the device, of its group, or of the caller', async () => {
  const { deviceID, collectionID } = await shareDevice();
  const presets = [{ deviceID }, { deviceGroupID: collectionID }, {}];
  for (const target of presets) {
    const { key: eventPresetID = 0 } = await writerKey.createEventPreset({ body: { ...target, eventType: 'Reboot' } });
    const run = { params: { eventPresetID }, body: { data: [deviceID] } };
    await expect(writerKey.runEventPreset(run)).rejects.toMatchObject(denied);
  }
  expect(await eventsOf(deviceID)).toEqual([]);
});

test('by retrying a failed event', async () => {
  const { deviceID, deviceSerial } = await shareDevice();
  const { key: eventID = 0 } = await ownerKey.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  await ownerKey.dequeueEvent({ body: { deviceSerial, agentType: 'Device', processID: 1 } });
  await ownerKey.reportEvent({ params: { eventID }, body: { eventStatus: 5, processID: 1 } });
  await expect(writer.session.retryEvents({ body: { eventIDs: [eventID] } })).rejects.toMatchObject(denied);
  expect(await owner.session.retryEvents({ body: { eventIDs: [eventID] } })).toEqual({ count: 1 });
});

test('by the readiness of a device, also if the preset is changed afterwards', async () => {
  const { deviceID, deviceSerial } = await shareDevice();
  const { key: eventPresetID = 0 } = await writerKey.createEventPreset({
    body: { deviceID, eventType: 'Restart_agents' },
  });
  await writerKey.setReadyPreset({ params: { deviceID }, body: { eventPresetID } });
  await writerKey.updateEventPreset({ params: { eventPresetID }, body: { eventType: 'Reboot' } });
  const { accessKey = '', secretKey = '' } = await owner.session.createDeviceKey({ params: { deviceID }, body: {} });
  const authorization = `Basic ${Buffer.from(`${accessKey}:${secretKey}`).toString('base64')}`;
  const response = await fetch(`${server.url}/v1/device/ready`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceSerial }),
  });
  expect(response.status).toBe(200);
  await ownerKey.reportDeviceReady({ body: { deviceSerial } });
  expect(await eventsOf(deviceID)).toEqual([]);
  const reboot = { params: { deviceID }, body: { eventPresetID } };
  await expect(ownerKey.setReadyPreset(reboot)).rejects.toMatchObject({ status: 409 });
});

test('an update names a version that this platform has shipped, and nothing else', async () => {
  const { deviceID } = await shareDevice();
  const { version, sha256 } = release;
  const wrong = [
    {},
    { url: 'https://example.org/agent.mjs' },
    { ...release, url: 'https://example.org/agent.mjs' },
    { version },
    { version: '2.0.0', sha256 },
    { version, sha256: 'c'.repeat(64) },
    // The program that starts the agent is not an agent.
    { version, sha256: 'b'.repeat(64) },
  ];
  for (const parameters of wrong) {
    const body = { deviceID, eventType: 'Update_software', eventParameters: JSON.stringify(parameters) };
    await expect(ownerKey.createEvent({ body }), body.eventParameters).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('eventParameters of Update_software must'),
    });
  }
  const { key: eventPresetID = 0 } = await ownerKey.createEventPreset({
    body: { deviceID, eventType: 'Update_software', eventParameters: '{"url":"https://example.org/"}' },
  });
  await expect(ownerKey.runEventPreset({ params: { eventPresetID }, body: {} })).rejects.toMatchObject({ status: 400 });
  expect(await eventsOf(deviceID)).toEqual([]);
});
