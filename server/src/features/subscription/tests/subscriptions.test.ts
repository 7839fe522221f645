import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startChannelServer, startTold } from '../../channel/tests/scene.ts';
import type { Receiver } from '../../event/tests/receiver.ts';
import { startReceiver } from '../../event/tests/receiver.ts';
import { openStream } from '../../live/tests/stream.ts';
import type { TestServer } from '../../../testing/server.ts';
import { changesIn, createSubscriptionScene } from './scene.ts';

let server: TestServer;
let receiver: Receiver;
beforeAll(async () => {
  server = await startChannelServer();
  receiver = await startReceiver((_request, response) => void response.writeHead(204).end());
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

test('a device that comes and goes and an event that ends are told by their names, signed as postbacks are', async () => {
  const { person, client, addDevice, subscribe, contact, fallSilent, received, untilTold, deliveries } =
    await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  const subscriptionID = await subscribe(['event.ended', 'device.online', 'device.offline']);
  const agentID = await contact(deviceID);
  const { deviceSerial = '' } = await client.getDevice({ params: { deviceID } });
  const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  const who = { deviceSerial, agentType: 'Device', processID: 1 };
  await client.dequeueEvent({ body: who });
  await client.reportEvent({ params: { eventID }, body: { eventStatus: 3, percentComplete: 50 } });
  await client.reportEvent({ params: { eventID }, body: { eventStatus: 4 } });
  await untilTold([`device.online ${deviceID}`, `event.ended ${eventID}`]);
  await fallSilent(deviceID);
  await untilTold([`device.online ${deviceID}`, `event.ended ${eventID}`, `device.offline ${deviceID}`]);
  const told = received();
  // The device may not be named outside: keys and states alone.
  expect(told.map(({ data }) => data)).toEqual([
    { subscriptionID, change: 'changed', key: deviceID, deviceID, outcome: 'online', online: true },
    { subscriptionID, change: 'changed', key: eventID, deviceID, outcome: 'ended', eventStatus: 4, agentID },
    { subscriptionID, change: 'changed', key: deviceID, deviceID, outcome: 'offline', online: false },
  ]);
  for (const { timestamp } of told) expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(120_000);
  const { postbackSecret } = await person.session.getPostbackSecret();
  const request = receiver.requests.find(({ headers }) => headers['webhook-id'] === told[1]?.id);
  expect(new Webhook(postbackSecret).verify(request!.body, request!.headers)).toMatchObject({ type: 'event.ended' });
  expect(request?.headers).toMatchObject({ 'ce-id': told[1]?.id, 'ce-type': 'event.ended' });
  expect((await deliveries(subscriptionID)).map(({ kind, state }) => `${kind} ${state}`)).toEqual(
    Array.from({ length: 3 }, () => 'change delivered'),
  );
  const shown = await client.getSubscription({ params: { subscriptionID } });
  expect(shown).toMatchObject({ key: subscriptionID, lastSentDate: expect.any(String), includesWords: false });
  expect(shown.waitingSince).toBeUndefined();
});

test('the record is told if the device may be named, and words only if the subscription says so', async () => {
  const { addDevice, subscribe, disclose, sayFire, received, rename } = await createSubscriptionScene(server, receiver);
  const [open, closed] = [await addDevice(), await addDevice()];
  await disclose(open);
  const wordless = await subscribe(['caption.created', 'caption.changed', 'device.changed']);
  const withWords = await subscribe(['caption.created', 'caption.changed'], { includesWords: true });
  const [openClip, closedClip] = [await sayFire(open, 2), await sayFire(closed, 2)];
  await rename(open, 'Harbour');
  await rename(closed, 'Hideout');
  await expect
    .poll(() => received().filter(({ type, data }) => type === 'device.changed' && data['key'] === closed).length)
    .toBe(1);
  await expect
    .poll(
      () => received().filter(({ data }) => data['subscriptionID'] === withWords && data['key'] === closedClip).length,
    )
    .toBeGreaterThan(0);
  const of = (subscriptionID: number, kind: string, key: number) =>
    received().find(
      ({ type, data }) => type.startsWith(kind) && data['subscriptionID'] === subscriptionID && data['key'] === key,
    )?.data;
  expect(of(withWords, 'caption', openClip)).toMatchObject({ record: { transcript: 'fire at the mill' } });
  expect(of(wordless, 'caption', openClip)).toMatchObject({ record: { key: openClip } });
  expect(of(wordless, 'device', open)).toMatchObject({ record: { deviceName: 'Harbour' }, online: false });
  const bodies = receiver.requests.map(({ body }) => body);
  expect(JSON.stringify(of(wordless, 'caption', openClip))).not.toContain('mill');
  expect(of(withWords, 'caption', closedClip)).not.toHaveProperty('record');
  expect(bodies.some((body) => body.includes('Hideout'))).toBe(false);
  const rows = await server.db<{ text: string }[]>`select row_to_json(d)::text as text from deliveries d`;
  expect(rows.some(({ text }) => /mill|Harbour/.test(text))).toBe(false);
});

test('a subscription and a live stream that name the same changes get the same, in the same order', async () => {
  const { person, client, addDevice, subscribe, contact, fallSilent, rename, received, sayFire } =
    await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  const changes = [
    'device.online',
    'device.offline',
    'device.removed',
    'event.created',
    'event.ended',
    'audioclip.created',
  ];
  await subscribe(changes as Parameters<typeof subscribe>[0]);
  const stream = await openStream(server.url, person, undefined, undefined, changes.join());
  for (let round = 0; round < 3; round += 1) {
    await contact(deviceID);
    await rename(deviceID, `Gate ${round}`);
    const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
    await client.cancelEvent({ params: { eventID } });
    await sayFire(deviceID, round + 1);
    await fallSilent(deviceID);
    await expect.poll(async () => (await client.getDevice({ params: { deviceID } })).online).toBe(false);
    await expect
      .poll(async () => (await server.db`select 1 from online_devices where device_id = ${deviceID}`).length)
      .toBe(0);
  }
  const last = await addDevice();
  await client.deleteDevice({ params: { deviceID: last } });
  await expect.poll(() => changesIn(received())).toContain(`device.removed ${last}`);
  await stream.until(({ key, change }) => key === last && change === 'removed');
  const streamed = stream.changes.map(({ event, change, outcome, key }) => `${event}.${outcome ?? change} ${key}`);
  // A stream may begin with a change from just before it.
  const told = changesIn(received());
  expect(told.length).toBeGreaterThan(12);
  expect(streamed.slice(-told.length)).toEqual(told);
  stream.close();
});

test('a right that is lost before the message is sent keeps it back, and one that is given lets it pass', async () => {
  let isUp = false;
  const told = await startTold((_request, response) => void response.writeHead(isUp ? 204 : 503).end());
  const owner = await createSubscriptionScene(server, receiver);
  const reader = await createSubscriptionScene(server, told);
  const [kept, lost, strange] = [await owner.addDevice(), await owner.addDevice(), await owner.addDevice()];
  await owner.lend(kept, reader.person.userID);
  const collectionID = await owner.lend(lost, reader.person.userID);
  const subscriptionID = await reader.subscribe(['device.changed']);
  for (const device of [strange, lost, kept]) await owner.rename(device, 'Changed');
  await expect.poll(async () => (await reader.deliveries(subscriptionID)).length).toBe(2);
  await expect.poll(() => told.requests.length).toBeGreaterThan(0);
  await owner.client.deleteCollection({ params: { collectionID } });
  isUp = true;
  await expect
    .poll(async () => (await reader.deliveries(subscriptionID)).map(({ state, reason }) => reason ?? state))
    .toEqual(['Its owner may not see it any more, or it is gone.', 'delivered']);
  await owner.lend(strange, reader.person.userID);
  await owner.rename(strange, 'Lent');
  await expect.poll(() => changesIn(reader.received()).slice(-1)).toEqual([`device.changed ${strange}`]);
});

test('where limits the changes to devices and collections, as they are then', async () => {
  const { client, person, addDevice, subscribe, rename, received, lend } = await createSubscriptionScene(
    server,
    receiver,
  );
  const [named, inside, outside] = [await addDevice(), await addDevice(), await addDevice()];
  const collectionID = await lend(inside, person.userID);
  const ofDevice = await subscribe(['device.changed', 'device.removed'], { where: { deviceIDs: [named] } });
  const ofCollection = await subscribe(['device.changed', 'collection.changed'], {
    where: { collectionIDs: [collectionID] },
  });
  const of = (subscriptionID: number) =>
    changesIn(received().filter(({ data }) => data['subscriptionID'] === subscriptionID));
  for (const device of [outside, named, inside]) await rename(device, 'Changed');
  await expect.poll(() => of(ofCollection)).toEqual([`device.changed ${inside}`]);
  const params = { collectionItemID: collectionID };
  await client.addCollectionItem({ params, body: { itemType: 'device', itemID: outside } });
  await rename(outside, 'Inside');
  await client.deleteDevice({ params: { deviceID: named } });
  await expect.poll(() => of(ofCollection)).toEqual([`device.changed ${inside}`, `device.changed ${outside}`]);
  await expect.poll(() => of(ofDevice)).toEqual([`device.changed ${named}`, `device.removed ${named}`]);
});

/** Until no node works on what it had read before. */
async function untilFollowedAnew(): Promise<void> {
  const { addDevice, subscribe, rename, untilTold } = await createSubscriptionScene(server, receiver);
  const deviceID = await addDevice();
  await subscribe(['device.changed']);
  // The second is told by a reading that began after the first was told.
  for (const count of [1, 2]) {
    await rename(deviceID, `Gate ${count}`);
    await untilTold(Array.from({ length: count }, () => `device.changed ${deviceID}`));
  }
}

test('many changes that wait come together, in their order', async () => {
  const { client, addDevice, subscribe, rename, received, setEnabled } = await createSubscriptionScene(
    server,
    receiver,
  );
  const deviceID = await addDevice();
  await subscribe(['device.changed', 'device.removed']);
  await setEnabled(false);
  await untilFollowedAnew();
  for (let number = 0; number < 30; number += 1) await rename(deviceID, `Gate ${number}`);
  const last = await addDevice();
  await client.deleteDevice({ params: { deviceID: last } });
  await setEnabled(true);
  await expect.poll(() => changesIn(received()).at(-1)).toBe(`device.removed ${last}`);
  expect(changesIn(received())).toEqual([
    ...Array.from({ length: 30 }, () => `device.changed ${deviceID}`),
    `device.removed ${last}`,
  ]);
  expect(received().map(({ type }) => type)).toEqual(['changes']);
  expect(received()[0]?.data.changes?.[0]).toMatchObject({
    type: 'device.changed',
    timestamp: expect.any(String),
    data: { key: deviceID, change: 'changed' },
  });
});

test('what cannot be subscribed is refused with its place, and nobody subscribes channels of others', async () => {
  const { client, subscribe, addDevice, channelID } = await createSubscriptionScene(server, receiver);
  const other = await createSubscriptionScene(server, receiver);
  const strange = await other.addDevice();
  const fault = (path: string) => ({ status: 400, problem: { errors: [{ path }] } });
  await expect(
    subscribe(['device.changed'], { where: { deviceIDs: [await addDevice(), strange] } }),
  ).rejects.toMatchObject(fault('where.deviceIDs[1]'));
  await expect(subscribe(['device.changed'], { where: { collectionIDs: [999_999] } })).rejects.toMatchObject(
    fault('where.collectionIDs[0]'),
  );
  const { key: alertsOnly = 0 } = await client.createChannel({
    body: { channelName: 'Ops', kind: 'alertmanager', settings: { url: 'https://told.invalid/' } },
  });
  await expect(subscribe(['device.changed'], { channelID: alertsOnly })).rejects.toMatchObject(fault('channelID'));
  await expect(other.subscribe(['device.changed'], { channelID })).rejects.toMatchObject({ status: 404 });
  await expect(subscribe(['device.exploded' as 'device.changed'])).rejects.toMatchObject({ status: 400 });
  // An admin subscribes the channel of a person, with the rights of that person.
  const { key: subscriptionID = 0, userID } = await server.admin.session.createSubscription({
    body: { channelID, changes: ['device.changed', 'device.changed'] },
  });
  expect(userID).toBe((await client.getChannel({ params: { channelID } })).userID);
  expect(await client.getSubscription({ params: { subscriptionID } })).toMatchObject({ changes: ['device.changed'] });
  await expect(other.client.getSubscription({ params: { subscriptionID } })).rejects.toMatchObject({ status: 404 });
  await expect(other.client.deleteSubscription({ params: { subscriptionID } })).rejects.toMatchObject({ status: 404 });
  expect(await other.client.listSubscriptions()).toEqual([]);
  for (let count = 1; count < 50; count += 1) await subscribe(['device.changed']);
  await expect(subscribe(['device.changed'])).rejects.toMatchObject({ status: 409 });
  await client.deleteSubscription({ params: { subscriptionID } });
  await subscribe(['device.changed']);
  expect(await client.listSubscriptions()).toHaveLength(50);
});
