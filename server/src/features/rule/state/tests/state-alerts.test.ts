import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TestServer } from '../../../../testing/server.ts';
import { startTestServer } from '../../../../testing/server.ts';
import { builtIn, createStateScene } from './state-scene.ts';

let server: TestServer;
let scene: Awaited<ReturnType<typeof createStateScene>>;
beforeAll(async () => {
  server = await startTestServer();
  // Two nodes judge, and nothing is found twice.
  await server.addNode();
});
beforeEach(async () => {
  scene = await createStateScene(server, await server.addPerson());
});
afterAll(() => server.stop());

const notify = [{ action: 'notify' }];

test('devices that fall silent together are one alert, which ends when all of them are back', async () => {
  const { device, lose, connect, rule, alertsOf, client } = scene;
  const devices = [await device(), await device(), await device()] as const;
  const ruleID = await rule({ when: { state: 'offline' }, actions: notify, groupSeconds: 0 });
  await connect(devices[2]);
  for (const key of devices.slice(0, 2)) await lose(key, 16 + devices.indexOf(key) * 3);
  const [alert, ...others] = await alertsOf(ruleID);
  expect(others).toEqual([]);
  expect(alert).toMatchObject({ state: 'open', deviceIDs: [devices[0], devices[1]], matchCount: 2 });
  expect(alert).not.toHaveProperty('deviceID');
  expect(alert?.toldDate).toBeDefined();
  expect((await client.readBell()).results).toMatchObject([{ kind: 'alert', isResolved: false }]);
  await connect(devices[0]);
  expect(await alertsOf(ruleID)).toMatchObject([{ key: alert?.key, state: 'open' }]);
  await connect(devices[1]);
  expect(await alertsOf(ruleID)).toMatchObject([{ key: alert?.key, state: 'closed', closeReason: 'ended' }]);
  expect((await client.readBell()).results).toMatchObject([{ kind: 'alert', isResolved: true }]);
  const { results } = await client.listRuleMatches({ body: { ruleID } });
  expect(results).toHaveLength(2);
  for (const match of results) expect(match.endTime).toBeGreaterThan(match.startTime ?? Infinity);
  // Silent again: a closed alert takes no match.
  await scene.db`delete from online_devices where device_id = ${devices[0]}`;
  await lose(devices[0], 15);
  expect(await alertsOf(ruleID)).toHaveLength(2);
});

test('more devices than are judged at once, dark together, are one alert that is told once', async () => {
  const { rule, alertsOf, client, db, lose, device } = scene;
  const ruleID = await rule({ when: { state: 'offline' }, actions: notify });
  const first = await device();
  await lose(first, 17);
  await db.begin(async (tx) => {
    await tx`
      insert into devices (user_id, device_name, device_serial)
      select user_id, 'dark ' || n, 'dark-' || key || '-' || n from devices, generate_series(1, 600) n where key = ${first}`;
    const ofOwner = tx`select key from devices where device_serial like ${`dark-${first}-%`}`;
    await tx`
      insert into online_times (device_id, since, until)
      select key, now() - interval '2 hours', now() - interval '16 minutes' from (${ofOwner}) d`;
    await tx`insert into states_to_judge (device_id, source) select key, 'contact' from (${ofOwner}) d`;
  });
  expect(await alertsOf(ruleID)).toMatchObject([{ matchCount: 601, state: 'open' }]);
  expect((await client.readBell()).results).toHaveLength(1);
});

test('after the platform was away, silence counts from its return; what was long enough before goes on', async () => {
  const { device, lose, runs, rule, alertsOf, db } = scene;
  const [before, meanwhile] = [await device(), await device()];
  await lose(before, 60);
  await lose(meanwhile, 25);
  await runs([14_400, 30], [10, 0]);
  const ruleID = await rule({ when: { state: 'offline' }, actions: notify });
  expect(await alertsOf(ruleID)).toMatchObject([{ deviceIDs: [before], matchCount: 1 }]);
  const [due] = await db<{ minutes: number }[]>`
    select round(extract(epoch from due_date - now()) / 60)::int as minutes from states_to_judge
    where device_id = ${meanwhile} and source = 'contact'`;
  expect(due?.minutes).toBe(5);
  await runs([14_400, 30], [20, 0]);
  await db`update states_to_judge set due_date = now() where device_id = ${meanwhile}`;
  expect((await alertsOf(ruleID)).flatMap(({ deviceIDs = [] }) => deviceIDs)).toEqual([before, meanwhile]);
});

test('a state that begins again and again is told three times within an hour, then it flaps', async () => {
  const { device, report, rule, alertsOf } = scene;
  const deviceID = await device();
  const ruleID = await rule({ when: { state: 'lowBattery' }, actions: notify, groupSeconds: 0 });
  await scene.db`update rules set change_date = now() - interval '1 day' where key = ${ruleID}`;
  for (const minutes of [50, 40, 30, 20]) {
    await report(deviceID, minutes, 5);
    await report(deviceID, minutes - 5, 80);
  }
  const alerts = await alertsOf(ruleID);
  expect(alerts.map(({ silence, deviceID: of }) => [silence, of])).toEqual([
    [undefined, deviceID],
    [undefined, deviceID],
    [undefined, deviceID],
    ['flapping', deviceID],
  ]);
  // As one span, they are told once.
  const kept = await rule({
    when: { state: 'lowBattery' },
    keepOpenSeconds: 600,
    actions: notify,
    where: { deviceIDs: [deviceID] },
  });
  await scene.db`update rules set change_date = now() - interval '1 day' where key = ${kept}`;
  await scene.db`insert into states_to_judge (device_id) values (${deviceID})`;
  expect(await alertsOf(kept)).toMatchObject([{ matchCount: 1, state: 'closed', closeReason: 'ended' }]);
});

test('alerts of a rule that is built in are seen by readers, and acknowledged by those who may change a device', async () => {
  const { device, report, client } = scene;
  const deviceID = await device();
  const { key: ruleID, version } = await builtIn(server, 'lowBattery');
  await report(deviceID, 1, 7);
  const ofDevice = async (by = client) => {
    await scene.judged();
    return (await by.listRuleAlerts({ body: { ruleID, deviceID } })).results;
  };
  const [alert] = await ofDevice();
  expect(alert).toMatchObject({ state: 'open', severity: 'warning', ruleName: 'Low battery' });
  expect(alert).not.toHaveProperty('userID');
  expect(alert).not.toHaveProperty('toldDate');
  const reader = await server.addPerson();
  const { client: readers } = await reader.withKey();
  expect(await ofDevice(readers)).toEqual([]);
  const { key: collectionItemID = 0 } = await client.createCollection({
    body: { collectionName: 'Lent', memberAccess: 'read' },
  });
  for (const item of [
    { itemType: 'device' as const, itemID: deviceID },
    { itemType: 'user' as const, itemID: reader.userID },
  ])
    await client.addCollectionItem({ params: { collectionItemID }, body: item });
  expect(await ofDevice(readers)).toMatchObject([{ key: alert?.key }]);
  const change = { params: { alertID: alert?.key ?? 0 }, body: { state: 'acknowledged' as const } };
  await expect(readers.updateRuleAlert(change)).rejects.toMatchObject({ status: 403 });
  expect(await client.updateRuleAlert(change)).toMatchObject({ state: 'acknowledged' });
  // The rule itself is for admins.
  await expect(client.getRule({ params: { ruleID } })).rejects.toMatchObject({ status: 404 });
  const { session } = server.admin;
  await expect(session.deleteRule({ params: { ruleID } })).rejects.toMatchObject({ status: 409 });
  const changed = await session.updateRule({
    params: { ruleID },
    body: { version, when: { state: 'lowBattery', belowPercent: 5 } },
  });
  expect(changed).toMatchObject({ when: { state: 'lowBattery', belowPercent: 5 } });
  await expect.poll(async () => (await ofDevice())[0]?.closeReason).toBe('withdrawn');
});

test('what was acknowledged on the overview before begins acknowledged, unless the state began later', async () => {
  const { device, db } = scene;
  const [known, later] = [await device(), await device()];
  const { key: ruleID } = await builtIn(server, 'fullDisk');
  for (const key of [known, later])
    await db`
      insert into acknowledged_states (rule_id, device_id, acknowledged_date)
      values (${ruleID}, ${key}, now() - make_interval(mins => ${key === known ? 5 : 15}))`;
  const fill = (deviceID: number) => db`
    insert into device_health (device_id, health_date, health_json, disk_used_percent)
    values (${deviceID}, now() - interval '10 minutes', '{}', 95)`;
  await fill(known);
  await fill(later);
  const stateOf = async (deviceID: number) => {
    await scene.judged();
    return (await server.admin.session.listRuleAlerts({ body: { ruleID, deviceID } })).results.map(
      ({ state }) => state,
    );
  };
  expect(await stateOf(later)).toEqual(['open']);
  expect(await db`select state from alerts where device_id = ${known} and rule_id = ${ruleID}`).toEqual([
    { state: 'acknowledged' },
  ]);
});

test('a state rule is explained for a device: what was measured, and since when', async () => {
  const { device, report, client, rule } = scene;
  const deviceID = await device();
  await report(deviceID, 10, 12);
  const when = { state: 'lowBattery' as const };
  const asked = { rule: { when, forSeconds: 900 }, deviceID };
  const explained = await client.explainRule({ body: asked });
  expect(explained).toMatchObject({ isMatch: false, outcome: 'true' });
  expect(explained.parts).toMatchObject([
    { path: 'where', outcome: 'true' },
    { path: 'when.state', outcome: 'true', value: '12 %' },
    { path: 'forSeconds', outcome: 'false' },
  ]);
  const ruleID = await rule({ when });
  expect(await client.explainRule({ body: { ruleID, deviceID } })).toMatchObject({ isMatch: true });
  const before = Math.floor(Date.now() / 1_000) - 3_600;
  expect(await client.explainRule({ body: { ruleID, deviceID, time: before } })).toMatchObject({
    isMatch: false,
    outcome: 'unknown',
  });
  await expect(client.explainRule({ body: { ruleID } })).rejects.toMatchObject({ status: 400 });
});

test('each source of measurements leads to a match by itself', async () => {
  const { device, client, rule, alertsOf, db } = scene;
  const deviceID = await device();
  const rules = {
    failedEvents: await rule({ when: { state: 'failedEvents' } }),
    failedUploads: await rule({ when: { state: 'failedUploads' } }),
    differentSettings: await rule({ when: { state: 'differentSettings', afterMinutes: 1 } }),
    neverConnected: await rule({ when: { state: 'neverConnected', afterMinutes: 1 } }),
  };
  const { key: eventID = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
  await db`update events set event_status = 5 where key = ${eventID}`;
  await db`
    insert into event_transitions (event_id, from_status, to_status, cause, attempt_number)
    values (${eventID}, 3, 5, 'reported', 1)`;
  const { key: clipID = 0 } = await client.createAudioClip({
    body: { deviceID, audioClipTypeID: 0, startTime: 1_794_704_400, clipLengthInSeconds: 1, audioClipStatus: 1 },
  });
  await db`update audio_clips set audio_clip_status = 4 where key = ${clipID}`;
  await client.putDeviceSetting({ params: { deviceID }, body: { settingName: 'gain', settingValue: '3' } });
  await db`update setting_differences set since = now() - interval '2 minutes' where device_id = ${deviceID}`;
  await db`insert into states_to_judge (device_id, source) values (${deviceID}, 'events')`;
  for (const state of ['failedEvents', 'failedUploads', 'differentSettings'] as const)
    expect([state, await alertsOf(rules[state])]).toMatchObject([state, [{ deviceID, state: 'open' }]]);
  // It has a clip, so it is in use.
  expect(await alertsOf(rules.neverConnected)).toEqual([]);
  const other = await device();
  await db`update devices set creation_date = now() - interval '2 minutes' where key = ${other}`;
  await db`insert into states_to_judge (device_id, source) values (${other}, 'contact')`;
  expect(await alertsOf(rules.neverConnected)).toMatchObject([{ deviceID: other, state: 'open' }]);
  await client.createAudioClip({
    body: { deviceID: other, audioClipTypeID: 0, startTime: 1_794_704_400, clipLengthInSeconds: 1 },
  });
  expect(await alertsOf(rules.neverConnected)).toMatchObject([{ state: 'closed', closeReason: 'ended' }]);
  await db`update audio_clips set audio_clip_status = 1 where key = ${clipID}`;
  expect(await alertsOf(rules.failedUploads)).toMatchObject([{ state: 'closed', closeReason: 'ended' }]);
});

test('a device that comes into the place of a rule is judged, and one that leaves it is hidden', async () => {
  const { device, report, rule, alertsOf, client } = scene;
  const deviceID = await device();
  const { key: collectionItemID = 0 } = await client.createCollection({ body: { collectionName: 'North' } });
  const ruleID = await rule({ when: { state: 'lowBattery' }, where: { collectionIDs: [collectionItemID] } });
  await report(deviceID, 5, 3);
  expect(await alertsOf(ruleID)).toEqual([]);
  const params = { collectionItemID };
  const { key: item = 0 } = await client.addCollectionItem({ params, body: { itemType: 'device', itemID: deviceID } });
  const [alert] = await alertsOf(ruleID);
  expect(alert).toMatchObject({ deviceID, state: 'open' });
  await scene.db`delete from collection_items where key = ${item}`;
  expect(await alertsOf(ruleID)).toEqual([]);
});

/** The statement of the migration that notes what was acknowledged before it. */
function noteAcknowledged(): string {
  const folder = new URL('../../../../../migrations/', import.meta.url);
  const name = readdirSync(folder).find((each) => /^\d+_states\.sql$/.test(each)) ?? '';
  const [statement] = /insert into acknowledged_states[^;]*;/.exec(readFileSync(new URL(name, folder), 'utf8')) ?? [];
  if (statement === undefined) throw new Error('The migration notes nothing.');
  return statement;
}

test('the migration notes devices of which all was acknowledged, and no others', async () => {
  const { device, client, db } = scene;
  const [dark, battery, old, failed, half] = [
    await device(),
    await device(),
    await device(),
    await device(),
    await device(),
  ];
  const fail = async (deviceID: number) => {
    const { key = 0 } = await client.createEvent({ body: { deviceID, eventType: 'Reboot' } });
    await db`update events set event_status = 5 where key = ${key}`;
    return key;
  };
  const acknowledge = (alert: string, record: number, deviceID: number, hours = 0) => db`
    insert into acknowledged_alerts (alert, record_key, device_id, user_id, acknowledged_date)
    values (${alert}, ${record}, ${deviceID}, ${server.admin.userID}, now() - make_interval(hours => ${hours}))`;
  await acknowledge('darkDevices', dark, dark, 100);
  await acknowledge('lowBattery', battery, battery, 2);
  await acknowledge('lowBattery', old, old, 30);
  await acknowledge('failedEvents', await fail(failed), failed);
  await acknowledge('failedEvents', await fail(half), half);
  await fail(half);
  await db`delete from acknowledged_states`;
  await db.unsafe(noteAcknowledged());
  const noted = await db`
    select r.definition #>> '{when,state}' as state, a.device_id as device from acknowledged_states a
    join rules r on r.key = a.rule_id order by a.device_id`;
  expect(noted).toEqual([
    { state: 'offline', device: dark },
    { state: 'lowBattery', device: battery },
    { state: 'failedEvents', device: failed },
  ]);
});
