import type { Client } from '@earshot/client/client';
import type { Alert } from '@earshot/contract/overview';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import type { SharedServer } from '@earshot/server/testing/server';
import { beforeAll, expect, test } from 'vitest';
import { addDevice } from '../../event/tests/fleet.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

async function setUp() {
  const owner = await server.addPerson();
  return { owner, person: (await owner.withKey()).client };
}

const rebootType = 10;

/** Failed events of a device, by SQL. */
async function addFailures(deviceID: number, count: number, result: string, hoursAgo = 1): Promise<readonly number[]> {
  const rows = await server.db<{ key: number }[]>`
    insert into events (device_id, agent_type_id, event_type_id, event_status, result, event_parameters, creation_date)
    select ${deviceID}, 2, ${rebootType}, 5, ${result}, '{"in":60}', now() - make_interval(hours => ${hoursAgo})
    from generate_series(1, ${count}) returning key`;
  return rows.map(({ key }) => key);
}

const alertsOf = async (client: Client, alert: Alert['alert']) =>
  (await client.listAlerts()).filter((found) => found.alert === alert);

async function setContact(deviceIDs: readonly number[], minutesAgo: number): Promise<void> {
  await server.db`
    update device_states set last_poll_date = now() - make_interval(mins => ${minutesAgo})
    where device_id = any(${deviceIDs as number[]}::bigint[])`;
}

test('equal failures are one alert, others are not', async () => {
  const { person } = await setUp();
  const [first, second] = [await addDevice(person), await addDevice(person)];
  const equal = [
    ...(await addFailures(first.deviceID, 5, 'no power')),
    ...(await addFailures(second.deviceID, 4, 'no power')),
  ];
  await addFailures(first.deviceID, 1, 'no network');
  await addFailures(first.deviceID, 1, 'no power', 25);
  const alerts = await alertsOf(person, 'failedEvents');
  expect(alerts.map(({ result, newCount }) => `${result} ${newCount}`).toSorted()).toEqual([
    'no network 1',
    'no power 9',
  ]);
  const group = alerts.find(({ newCount }) => newCount === 9);
  expect(group?.keys).toEqual(equal.toSorted((a, b) => b - a));
  expect(group).toMatchObject({ eventType: 'Reboot', eventStatus: 5, mayChange: true });
  expect(new Set(group?.deviceIDs)).toEqual(new Set([first.deviceID, second.deviceID]));
});

test('failures whose results differ only in numbers are one alert, and are acknowledged together', async () => {
  const { person } = await setUp();
  const { deviceID } = await addDevice(person);
  for (const number of [292, 296, 7]) await addFailures(deviceID, 25, `microphone ${number} of 8 not found`);
  await addFailures(deviceID, 1, 'loudspeaker 1 of 8 not found');
  const [microphones, ...others] = await alertsOf(person, 'failedEvents').then((all) =>
    all.toSorted((a, b) => b.keys.length - a.keys.length),
  );
  expect(microphones).toMatchObject({ result: 'microphone … of 8 not found', newCount: 75 });
  expect(others).toMatchObject([{ result: 'loudspeaker 1 of 8 not found', newCount: 1 }]);
  await person.acknowledgeAlert({ body: { alert: 'failedEvents', keys: microphones?.keys ?? [] } });
  expect((await alertsOf(person, 'failedEvents')).map(({ newCount }) => newCount)).toEqual([1, 0]);
});

test('an event that waited for days and failed now is an alert of today', async () => {
  const { person } = await setUp();
  const { deviceID } = await addDevice(person);
  const [eventID = 0] = await addFailures(deviceID, 1, 'late', 72);
  expect(await alertsOf(person, 'failedEvents')).toEqual([]);
  await server.db`
    insert into event_transitions (event_id, from_status, to_status, cause, attempt_number)
    values (${eventID}, 3, 5, 'reported', 1)`;
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ keys: [eventID], newCount: 1 }]);
});

test('an acknowledged alert is acknowledged for everybody, and appears again with a new record', async () => {
  const { owner, person } = await setUp();
  const { deviceID } = await addDevice(person);
  const keys = await addFailures(deviceID, 9, 'no fuel');
  const body = { alert: 'failedEvents' as const, keys: [...keys] };
  expect(await person.acknowledgeAlert({ body })).toEqual({ count: 9 });
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ newCount: 0 }]);
  const all = await server.admin.session.listAlerts();
  expect(all.find((alert) => alert.keys.includes(keys[0]!))).toMatchObject({ newCount: 0 });

  const [another = 0] = await addFailures(deviceID, 1, 'no fuel');
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ newCount: 1 }]);
  expect((await alertsOf(person, 'failedEvents'))[0]?.keys).toContain(another);
  expect(await owner.session.acknowledgeAlert({ body: { ...body, isAcknowledged: false } })).toEqual({ count: 9 });
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ newCount: 10 }]);
});

test('devices that went dark together are one alert, until they are back or go dark again', async () => {
  const { person } = await setUp();
  const devices = await Promise.all(Array.from({ length: 31 }, () => addDevice(person)));
  const deviceIDs = devices.map(({ deviceID }) => deviceID);
  await setContact(deviceIDs, 5);
  expect(await alertsOf(person, 'darkDevices')).toEqual([]);
  await setContact(deviceIDs, 40);
  const [outage, ...others] = await alertsOf(person, 'darkDevices');
  expect(others).toEqual([]);
  expect(outage).toMatchObject({ newCount: 31, mayChange: true });
  expect(outage?.deviceNames).toHaveLength(3);
  expect(await person.acknowledgeAlert({ body: { alert: 'darkDevices', keys: outage!.keys } })).toEqual({
    count: 31,
  });
  expect(await alertsOf(person, 'darkDevices')).toMatchObject([{ newCount: 0 }]);
  // Back, and dark again.
  await setContact(deviceIDs.slice(0, 2), 39);
  expect(await alertsOf(person, 'darkDevices')).toMatchObject([{ newCount: 2 }]);
});

test('a device that is online now and then is dark only after a day', async () => {
  const { person } = await setUp();
  const { deviceID } = await addDevice(person);
  await server.db`
    insert into online_times (device_id, since, until)
    select ${deviceID}, now() - make_interval(hours => n + 1), now() - make_interval(hours => n) from generate_series(2, 4) n`;
  await setContact([deviceID], 40);
  expect(await alertsOf(person, 'darkDevices')).toEqual([]);
  await setContact([deviceID], 25 * 60);
  expect(await alertsOf(person, 'darkDevices')).toMatchObject([{ keys: [deviceID] }]);
});

test('a device without contact is an alert after a day, unless clips of it are uploaded', async () => {
  const { person } = await setUp();
  const [silent, used] = [await addDevice(person), await addDevice(person)];
  await addDevice(person);
  await server.db`
    update devices set creation_date = now() - interval '25 hours' where key in (${silent.deviceID}, ${used.deviceID})`;
  await server.db`insert into audio_clips (device_id, start_ms) values (${used.deviceID}, 1000)`;
  expect(await alertsOf(person, 'neverConnected')).toMatchObject([{ keys: [silent.deviceID] }]);
});

test('batteries, disks, settings and uploads are alerts, acknowledged for as long as they last', async () => {
  const { person } = await setUp();
  const { deviceID, deviceSerial } = await addDevice(person);
  const report = (battery: number, disk: number) =>
    person.createDeviceHealth({
      body: {
        deviceSerial,
        healthJSON: JSON.stringify({ battery: { percent: battery }, disk: { usedPercent: disk } }),
      },
    });
  await report(15, 95);
  const stored = await server.db`
    update device_health set disk_used_percent = 95 where device_id = ${deviceID} and battery_percent = 15 returning 1`;
  expect(stored).toHaveLength(1);
  await person.putDeviceSetting({
    params: { deviceID },
    query: {},
    body: { settingName: 'volume', settingValue: '7' },
  });
  const [clip] = await server.db<{ key: number }[]>`
    insert into audio_clips (device_id, start_ms, audio_clip_status)
    values (${deviceID}, extract(epoch from now())::bigint * 1000 - 60000, 4) returning key`;
  const kinds = async () =>
    (await person.listAlerts()).filter(({ newCount }) => newCount > 0).map(({ alert }) => alert);
  expect((await kinds()).toSorted()).toEqual(['failedUploads', 'fullDisk', 'lowBattery']);
  await server.db`update device_settings set creation_date = now() - interval '2 hours' where device_id = ${deviceID}`;
  expect((await kinds()).toSorted()).toEqual(['differentSettings', 'failedUploads', 'fullDisk', 'lowBattery']);

  for (const alert of ['lowBattery', 'fullDisk', 'differentSettings'] as const) {
    expect(await person.acknowledgeAlert({ body: { alert, keys: [deviceID] } })).toEqual({ count: 1 });
  }
  await person.acknowledgeAlert({ body: { alert: 'failedUploads', keys: [clip?.key ?? 0] } });
  expect(await kinds()).toEqual([]);
  await server.db`
    update acknowledged_alerts set acknowledged_date = now() - interval '25 hours'
    where alert = 'lowBattery' and record_key = ${deviceID}`;
  expect(await kinds()).toEqual(['lowBattery']);
  await report(90, 10);
  expect(await kinds()).toEqual([]);
});

test('people acknowledge and retry only alerts of devices that they may change', async () => {
  const { owner, person } = await setUp();
  const { deviceID } = await addDevice(person);
  const keys = [...(await addFailures(deviceID, 2, 'no power'))];
  const reader = await server.addPerson();
  const { key: collectionID = 0 } = await owner.session.createCollection({ body: { collectionName: 'Quay' } });
  for (const [itemType, itemID] of [
    ['device', deviceID],
    ['user', reader.userID],
  ] as const) {
    await owner.session.addCollectionItem({ params: { collectionItemID: collectionID }, body: { itemType, itemID } });
  }
  const stranger = await server.addPerson();
  expect(await alertsOf(stranger.session, 'failedEvents')).toEqual([]);
  expect(await alertsOf(reader.session, 'failedEvents')).toMatchObject([{ newCount: 2, mayChange: false }]);
  for (const { session } of [reader, stranger]) {
    const none = { count: 0 };
    expect(await session.acknowledgeAlert({ body: { alert: 'failedEvents', keys } })).toEqual(none);
    expect(await session.retryEvents({ body: { eventIDs: keys } })).toEqual(none);
    expect(await session.acknowledgeAlert({ body: { alert: 'darkDevices', keys: [deviceID] } })).toEqual(none);
  }
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ newCount: 2 }]);
});

test('failed events are retried together, once, with all that they had', async () => {
  const { person } = await setUp();
  const { deviceID } = await addDevice(person);
  const body = {
    deviceID,
    eventType: 'Reboot',
    eventParameters: '{"in":5}',
    priority: 3,
    maxAttempts: 2,
    tagString: 'night',
    postbackURL: 'https://example.org/done?secret=1',
  };
  const first = await person.createEvent({ body });
  await server.db`update events set event_status = 5, result = 'no power', expiration_epoch = 5 where key = ${first.key ?? 0}`;
  const keys = [first.key ?? 0, ...(await addFailures(deviceID, 2, 'no power'))];
  const answers = await Promise.all([1, 2, 3].map(() => person.retryEvents({ body: { eventIDs: keys } })));
  expect(answers.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([0, 0, 3]);
  expect(await alertsOf(person, 'failedEvents')).toMatchObject([{ newCount: 0 }]);
  const waiting = await person.listEvents({ body: { deviceID, eventState: 'open' } });
  expect(waiting.map(({ eventParameters = '' }) => eventParameters).toSorted((a, b) => a.length - b.length)).toEqual([
    '{"in":5}',
    '{"in":60}',
    '{"in":60}',
  ]);
  const copy = waiting.find(({ priority }) => priority === 3);
  expect(copy).toMatchObject({ maxAttempts: 2, tagString: 'night', eventParameters: '{"in":5}' });
  expect(copy?.expirationEpoch ?? 0).toBe(0);
  const [secret] = await server.db<{ count: number }[]>`
    select count(*)::int as count from event_secrets where event_id = ${copy?.key ?? 0}`;
  expect(secret?.count).toBe(1);
  // An event that has not failed is not retried.
  expect(await person.retryEvents({ body: { eventIDs: [copy?.key ?? 0] } })).toEqual({ count: 0 });
});
