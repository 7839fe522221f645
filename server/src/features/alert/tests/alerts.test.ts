import { expect, test } from 'vitest';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, minuteMs, notify } from './scene.ts';

test('alerts are listed by rule, device, range, state, severity and assignee, in pages both ways', async () => {
  const { client, person, addDevice, say, now, addRule, allJudged } = await createAlertScene();
  const [device, other] = [await addDevice(), await addDevice()];
  const rule = await addRule({ ...fire, groupSeconds: 0, severity: 'critical' });
  const water = await addRule({ when: { words: 'water' }, groupSeconds: 0 });
  const start = Math.floor(now / 1_000) * 1_000 - 30 * minuteMs;
  for (const minutes of [0, 1, 2, 3]) await say(device, start + minutes * minuteMs, 'fire');
  await say(other, start + 4 * minuteMs, 'fire and water');
  await allJudged();
  const list = async (body: Parameters<typeof client.listRuleAlerts>[0]['body']) =>
    (await client.listRuleAlerts({ body })).results.map(({ startTime = 0 }) => (startTime - start / 1_000) / 60);
  expect(await list({})).toEqual([4, 4, 3, 2, 1, 0]);
  expect(await list({ ruleID: rule })).toEqual([4, 3, 2, 1, 0]);
  expect(await list({ ruleID: water })).toEqual([4]);
  expect(await list({ deviceID: other })).toEqual([4, 4]);
  expect(await list({ severity: 'info' })).toEqual([4]);
  expect(await list({ startEpoch: start / 1_000 + 60, endEpoch: start / 1_000 + 180 })).toEqual([2, 1]);
  const [alert] = (await client.listRuleAlerts({ body: { ruleID: rule, deviceID: device, count: 1 } })).results;
  const params = { alertID: alert?.key ?? 0 };
  const changed = await client.updateRuleAlert({
    params,
    body: { state: 'acknowledged', assigneeID: person.userID },
  });
  expect(changed).toMatchObject({ state: 'acknowledged', assigneeID: person.userID, stateBy: person.userID });
  expect(await list({ state: 'acknowledged' })).toEqual([3]);
  expect(await list({ assigneeID: person.userID })).toEqual([3]);
  const cleared = await client.updateRuleAlert({ params, body: { assigneeID: null } });
  expect(cleared).not.toHaveProperty('assigneeID');
  expect(cleared.state).toBe('acknowledged');

  const page = (cursor?: string) =>
    client.listRuleAlerts({ body: { ruleID: rule, count: 2, ...(cursor ? { cursor } : {}) } });
  const first = await page();
  const second = await page(first.next);
  const third = await page(second.next);
  expect([first, second, third].map(({ results }) => results.length)).toEqual([2, 2, 1]);
  expect(third.next).toBeUndefined();
  expect((await page(third.previous)).results).toEqual(second.results);
});

test('an alert is seen by the owner of its rule, those whom it tells and admins, each for devices that they may read', async () => {
  const { server, client, person, addDevice, say, now, addRule, alertsOf, lend } = await createAlertScene();
  const [told, stranger, watcher] = [await createScene(server), await createScene(server), await createScene(server)];
  const device = await addDevice();
  const collectionID = await lend(device, told.person.userID);
  await lend(device, watcher.person.userID);
  const to = [{ userID: told.person.userID }, { userID: person.userID }];
  const rule = await addRule({ ...fire, actions: [{ action: 'notify', to }] });
  const clip = await say(device, now - minuteMs, 'fire');
  const [alert] = await alertsOf(rule);
  const params = { alertID: alert?.key ?? 0 };
  const seen = async (who: typeof client) =>
    who.getRuleAlert({ params }).then(
      () => 200,
      ({ status }: { status: number }) => status,
    );
  expect(await Promise.all([client, told.client, stranger.client, server.admin.session].map(seen))).toEqual([
    200, 200, 404, 200,
  ]);
  expect(await seen(watcher.client)).toBe(404);
  expect((await watcher.client.listRuleMatches({ body: { alertID: params.alertID } })).results).toEqual([]);
  const matches = await told.client.listRuleMatches({ body: { alertID: params.alertID } });
  expect(matches.results).toMatchObject([{ audioClipID: clip, text: 'fire', state: 'current' }]);
  expect((await told.client.listRuleMatches({ body: {} })).results).toEqual([]);
  expect((await stranger.client.listRuleMatches({ body: { alertID: params.alertID } })).results).toEqual([]);
  await told.client.addAlertNote({ params, body: { note: 'I go there.' } });
  await expect(client.updateRuleAlert({ params, body: { assigneeID: stranger.person.userID } })).rejects.toMatchObject({
    status: 400,
  });
  await client.updateRuleAlert({ params, body: { assigneeID: told.person.userID } });
  expect(await client.getRuleAlert({ params })).toMatchObject({
    assigneeID: told.person.userID,
    notes: [{ note: 'I go there.', userID: told.person.userID }],
  });
  expect(await told.client.readBell()).toMatchObject({ unreadCount: 1 });
  await client.deleteCollection({ params: { collectionID } });
  expect(await seen(told.client)).toBe(404);
  expect(await told.client.readBell()).toMatchObject({ unreadCount: 0, results: [] });
  expect((await told.client.listRuleAlerts({ body: {} })).results).toEqual([]);
  const trail = await server.db<{ action: string; user_id: number }[]>`
    select action, user_id from audit_entries where record_key = ${params.alertID} and action like 'alert-%' order by key`;
  expect(trail.map((entry) => [entry.action, entry.user_id])).toEqual([
    ['alert-noted', told.person.userID],
    ['alert-changed', person.userID],
  ]);
});

test('a person sees of an alert across devices only the devices that they may read', async () => {
  const { server, addDevice, say, now, addRule, alertsOf, lend } = await createAlertScene();
  const told = await createScene(server);
  const [device, other] = [await addDevice(), await addDevice()];
  await lend(device, told.person.userID);
  const to = [{ userID: told.person.userID }];
  const atLeast = { count: 1, withinSeconds: 60, acrossDevices: true };
  const rule = await addRule({ ...fire, atLeast, actions: [{ action: 'notify', to }] });
  await say(device, now - 2 * minuteMs, 'fire');
  await say(other, now - minuteMs, 'fire');
  expect(await alertsOf(rule)).toMatchObject([{ deviceIDs: [device, other], matchCount: 2 }]);
  const [seen] = (await told.client.listRuleAlerts({ body: {} })).results;
  expect(seen).toMatchObject({ deviceIDs: [device], matchCount: 1 });
  expect(seen?.deviceNames).toHaveLength(1);
});

test('the owner of a device sees how many rules of others watch it', async () => {
  const { server, client, person, addDevice, addRule, lend } = await createAlertScene();
  const other = await createScene(server);
  const [device, unshared] = [await addDevice(), await addDevice()];
  await lend(device, other.person.userID);
  const count = async (deviceID: number) => (await client.countWatchingRules({ params: { deviceID } })).ruleCount;
  const before = await count(device);
  await addRule(fire);
  expect(await count(device)).toBe(before);
  const create = (where?: { deviceIDs: number[] }) =>
    other.client.createRule({ body: { ruleName: 'x', ...fire, ...(where ? { where } : {}) } });
  const { key: ruleID = 0 } = await create();
  await create({ deviceIDs: [device] });
  await create({ deviceIDs: [await other.addDevice()] });
  expect([await count(device), await count(unshared)]).toEqual([before + 2, before]);
  await other.client.updateRule({ params: { ruleID }, body: { version: 1, isEnabled: false } });
  expect(await count(device)).toBe(before + 1);
  await expect(other.client.countWatchingRules({ params: { deviceID: device } })).rejects.toMatchObject({
    status: 403,
  });
  expect(person.userID).toBeGreaterThan(0);
});

test('a merged device gives its alerts to the other one; a removed device takes its alerts along', async () => {
  const { client, addDevice, say, now, addRule, alertsOf, bell } = await createAlertScene();
  const [device, other] = [await addDevice(), await addDevice()];
  const rule = await addRule({ ...fire, actions: notify });
  await say(device, now - 2 * minuteMs, 'fire');
  const [before] = await alertsOf(rule);
  await client.mergeDevice({ params: { deviceID: device }, body: { intoDeviceID: other } });
  expect(await alertsOf(rule)).toMatchObject([{ key: before?.key, deviceID: other, matchCount: 1, state: 'open' }]);
  expect(await bell()).toMatchObject({ unreadCount: 1, results: [{ deviceID: other }] });
  await say(other, now - minuteMs, 'fire');
  expect(await alertsOf(rule)).toMatchObject([{ key: before?.key, matchCount: 2 }]);
  await client.deleteDevice({ params: { deviceID: other } });
  expect(await alertsOf(rule)).toEqual([]);
  expect((await bell()).results).toEqual([]);
});
