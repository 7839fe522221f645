import { expect, test } from 'vitest';
import { createScene } from '../../rule/tests/said.ts';
import { createAlertScene, fire, hourMs, minuteMs, notify } from './scene.ts';

test('people are told once an alert; of those named only who may read the device and who does not refuse', async () => {
  const { server, client, person, addDevice, say, now, addRule, actsOf, bell, lend } = await createAlertScene();
  const [reader, stranger, refusing] = [
    await createScene(server),
    await createScene(server),
    await createScene(server),
  ];
  const device = await addDevice();
  await lend(device, reader.person.userID);
  await lend(device, refusing.person.userID);
  await refusing.client.putBellManners({ body: { refusesOthers: true } });
  const to = [person, reader.person, stranger.person, refusing.person].map(({ userID }) => ({ userID }));
  const rule = await addRule({ ...fire, severity: 'warning', actions: [{ action: 'notify', to }, ...notify] });
  await say(device, now - 2 * minuteMs, 'fire');
  await say(device, now - minuteMs, 'fire');
  expect((await actsOf(rule)).map(({ action, userID, refusal }) => [action, userID, refusal])).toEqual([
    ['notify', person.userID, undefined],
    ['notify', reader.person.userID, undefined],
    ['notify', stranger.person.userID, 'The person may not read the device.'],
    ['notify', refusing.person.userID, 'The person is not told by rules of other people.'],
  ]);
  const { results } = await bell();
  expect(results).toMatchObject([
    { kind: 'alert', severity: 'warning', ruleName: 'Fire', text: 'fire', deviceID: device },
  ]);
  expect(await reader.client.readBell()).toMatchObject({ unreadCount: 1, results: [{ alertID: results[0]?.alertID }] });
  for (const { client: other } of [stranger, refusing]) expect((await other.readBell()).results).toEqual([]);
  const [match] = (await client.listRuleMatches({ body: { ruleID: rule } })).results;
  expect(match?.acts).toHaveLength(4);
  expect(match).toMatchObject({
    alertID: results[0]?.alertID,
    arrivedDate: expect.any(String),
    toldDate: expect.any(String),
  });
  expect(match?.transcribedDate).toEqual(expect.any(String));
});

test('a muted rule records and does not tell, also not later', async () => {
  const { client, addDevice, say, now, addRule, alertsOf, bell } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, actions: [...notify, { action: 'lock' }] });
  const params = { ruleID: rule };
  await client.muteRule({ params, body: { until: new Date(now + hourMs).toISOString() } });
  const clip = await say(device, now - 2 * minuteMs, 'fire');
  await say(device, now - 9 * hourMs, 'fire');
  expect(await alertsOf(rule)).toMatchObject([{ silence: 'muted' }, { silence: 'muted', state: 'open' }]);
  expect(await client.getAudioClipLock({ params: { audioClipID: clip } })).toMatchObject({ locked: true });
  await client.muteRule({ params, body: {} });
  await say(device, now - minuteMs, 'fire');
  expect((await alertsOf(rule))[1]).toMatchObject({ silence: 'muted', matchCount: 2 });
  expect(await bell()).toMatchObject({ unreadCount: 0, results: [] });
});

test('a rule is quiet while an alert of a quieting rule is not closed on the device, or on any across devices', async () => {
  const { client, addDevice, say, now, addRule, alertsOf, allJudged } = await createAlertScene();
  const [device, other] = [await addDevice(), await addDevice()];
  const quieting = await addRule({ when: { words: 'exercise' } });
  const rule = await addRule({ ...fire, groupSeconds: 0, quietedBy: [quieting], actions: notify });
  const atLeast = { count: 1, withinSeconds: 1, acrossDevices: true };
  const across = await addRule({ ...fire, groupSeconds: 0, atLeast, quietedBy: [quieting], actions: notify });
  await say(device, now - 10 * minuteMs, 'exercise and fire');
  await say(other, now - 9 * minuteMs, 'fire');
  const silences = async (ruleID: number) => (await alertsOf(ruleID)).map(({ silence }) => silence);
  expect([await silences(rule), await silences(across)]).toEqual([
    ['quieted', undefined],
    ['quieted', 'quieted'],
  ]);
  const [open] = await alertsOf(quieting);
  await client.updateRuleAlert({ params: { alertID: open?.key ?? 0 }, body: { state: 'closed' } });
  await say(device, now - 8 * minuteMs, 'fire');
  await allJudged();
  expect([await silences(rule), await silences(across)]).toEqual([
    ['quieted', undefined, undefined],
    ['quieted', 'quieted', undefined],
  ]);
});

test('at most mostPerHour alerts are acted on by the clock, which is told once; all matches are listed', async () => {
  const { server, addDevice, say, now, addRule, alertsOf, bell } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, groupSeconds: 0, mostPerHour: 2, actions: notify });
  for (const minutes of [9, 8, 7, 6]) await say(device, now - minutes * minuteMs, 'fire');
  expect((await alertsOf(rule)).map(({ silence }) => silence)).toEqual([undefined, undefined, 'limit', 'limit']);
  expect((await bell()).results.map(({ kind }) => kind)).toEqual(['limit', 'alert', 'alert']);
  await server.db`update alerts set told_date = told_date - interval '1 hour' where rule_id = ${rule}`;
  await say(device, now - 5 * minuteMs, 'fire');
  expect((await alertsOf(rule)).at(-1)).toMatchObject({ toldDate: expect.any(String) });
});

test('sound that ended too long ago is not acted on, which is told in one message an hour; younger sound is', async () => {
  const { server, addDevice, say, now, addRule, alertsOf, bell } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, groupSeconds: 120, actions: notify });
  const old = now - 6 * hourMs - 30_000;
  await say(device, old, 'fire');
  await alertsOf(rule);
  await say(device, old - hourMs, 'fire');
  expect((await alertsOf(rule)).map(({ silence, toldDate }) => [silence, toldDate])).toEqual([
    ['tooOld', undefined],
    ['tooOld', undefined],
  ]);
  expect((await bell()).results).toMatchObject([{ kind: 'tooOld', count: 2 }]);
  await say(device, old + 2 * minuteMs, 'fire');
  expect((await alertsOf(rule)).map(({ silence, matchCount }) => [silence, matchCount])).toEqual([
    ['tooOld', 1],
    [undefined, 2],
  ]);
  expect((await bell()).results.map(({ kind }) => kind)).toEqual(['alert', 'tooOld']);
  await server.db`update bell_entries set creation_date = creation_date - interval '1 hour' where kind = 'tooOld'`;
  await say(device, old - 2 * hourMs, 'fire');
  expect((await bell()).results.map(({ kind, count }) => [kind, count])).toEqual([
    ['tooOld', 1],
    ['alert', undefined],
    ['tooOld', 2],
  ]);
  // The clock of the device was wrong: its clip is aged by its arrival.
  await say(device, 3_600_000, 'fire');
  expect((await alertsOf(rule))[0]).toMatchObject({ startTime: 3_600, toldDate: expect.any(String) });
});

test('an action without its right is refused and told to the owner and admins, once', async () => {
  const { server, client, person, now, addRule, actsOf, bell } = await createAlertScene();
  const owner = await createScene(server);
  const device = await owner.addDevice();
  const { key: collectionItemID = 0 } = await owner.client.createCollection({ body: { collectionName: 'x' } });
  for (const [itemType, itemID] of [
    ['device', device],
    ['user', person.userID],
  ] as const)
    await owner.client.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
  const preset = await client.createEventPreset({ body: { eventType: 'Report_diagnostics' } });
  const eventPresetID = preset.key ?? 0;
  const rule = await addRule({
    ...fire,
    groupSeconds: 0,
    where: { deviceIDs: [device] },
    actions: [{ action: 'runPreset', eventPresetID }, { action: 'lock' }, { action: 'requestUpload' }],
  });
  for (const minutes of [4, 3]) {
    await owner.say(device, now - minutes * minuteMs, 'fire');
    await actsOf(rule);
  }
  const refusal = 'The owner of the rule may not send work to the device.';
  expect((await actsOf(rule)).slice(0, 2)).toMatchObject([
    { action: 'runPreset', refusal, eventPresetID },
    { action: 'requestUpload', refusal },
  ]);
  const reasons = [
    'lock: The owner of the rule may not change the clip.',
    `requestUpload: ${refusal}`,
    `runPreset: ${refusal}`,
  ];
  const told = (await bell()).results.filter(({ kind }) => kind === 'refused');
  expect(new Set(told.map(({ reason }) => reason))).toEqual(new Set(reasons));
  expect(told).toHaveLength(3);
  const ofAdmin = (await server.admin.session.readBell()).results.filter(({ ruleID }) => ruleID === rule);
  expect(new Set(ofAdmin.map(({ reason }) => reason))).toEqual(new Set(reasons));
  expect((await owner.client.readBell()).results).toEqual([]);
});

test('in quiet times a person is told without a sound; critical passes those of others only in rules of admins', async () => {
  const { server, client, person, addDevice, say, now, addRule, bell, allJudged } = await createAlertScene();
  const device = await addDevice();
  const always = [{ from: '00:00', to: '00:00' }];
  expect(await client.putBellManners({ body: { quietTimes: always } })).toMatchObject({ refusesOthers: false });
  const nowhere = [{ from: '00:00', to: '00:00', timeZone: '' }];
  await expect(client.putBellManners({ body: { quietTimes: nowhere } })).rejects.toMatchObject({ status: 400 });
  expect(await client.getBellManners()).toMatchObject({ quietTimes: always });
  const to = [{ userID: person.userID }];
  const other = await createScene(server);
  const { key: collectionItemID = 0 } = await client.createCollection({ body: { collectionName: 'x' } });
  for (const [itemType, itemID] of [
    ['device', device],
    ['user', other.person.userID],
  ] as const)
    await client.addCollectionItem({ params: { collectionItemID }, body: { itemType, itemID } });
  const where = { deviceIDs: [device] };
  const rules = {
    ownWarning: await addRule({ ...fire, severity: 'warning', actions: notify }),
    ownCritical: await addRule({ ...fire, severity: 'critical', actions: notify }),
    otherCritical: await other.client
      .createRule({
        body: { ruleName: 'x', ...fire, where, severity: 'critical', actions: [{ action: 'notify', to }] },
      })
      .then(({ key }) => key),
    adminCritical: await server.admin.session
      .createRule({
        body: { ruleName: 'x', ...fire, where, severity: 'critical', actions: [{ action: 'notify', to }] },
      })
      .then(({ key }) => key),
    adminWarning: await server.admin.session
      .createRule({ body: { ruleName: 'x', ...fire, where, severity: 'warning', actions: [{ action: 'notify', to }] } })
      .then(({ key }) => key),
  };
  await say(device, now - minuteMs, 'fire');
  await allJudged();
  const { results, unreadCount } = await bell();
  expect(unreadCount).toBe(5);
  const isQuiet = Object.entries(rules).map(([name, key]) => [
    name,
    results.find(({ ruleID }) => ruleID === key)?.isQuiet,
  ]);
  expect(Object.fromEntries(isQuiet)).toEqual({
    ownWarning: true,
    ownCritical: false,
    otherCritical: true,
    adminCritical: false,
    adminWarning: true,
  });
  for (const ruleID of [rules.adminCritical, rules.adminWarning])
    await server.admin.session.deleteRule({ params: { ruleID: ruleID ?? 0 } });
});
