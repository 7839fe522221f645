import { expect, test } from 'vitest';
import { createAlertScene, fire, hourMs, minuteMs, notify } from './scene.ts';

test('matches of a device at most groupSeconds apart are one alert, also to the millisecond; of another device another', async () => {
  const { addDevice, say, now, addRule, alertsOf, matchesOf } = await createAlertScene();
  const [device, other] = [await addDevice(), await addDevice()];
  const rule = await addRule({ ...fire, groupSeconds: 60, actions: notify });
  const start = now - 30 * minuteMs;
  const first = await say(device, start, 'fire');
  const second = await say(device, start + 60_000, 'fire');
  const third = await say(device, start + 120_001, 'fire');
  const elsewhere = await say(other, start, 'fire');
  const alerts = await alertsOf(rule);
  expect(alerts.map(({ deviceID, matchCount }) => [deviceID, matchCount])).toEqual(
    expect.arrayContaining([
      [device, 2],
      [other, 1],
      [device, 1],
    ]),
  );
  const ofDevice = alerts.filter(({ deviceID }) => deviceID === device);
  expect(await matchesOf(ofDevice[0]?.key ?? 0)).toEqual([first, second]);
  expect(await matchesOf(ofDevice[1]?.key ?? 0)).toEqual([third]);
  expect(await matchesOf(alerts.find(({ deviceID }) => deviceID === other)?.key ?? 0)).toEqual([elsewhere]);
  expect(ofDevice[0]).toMatchObject({ state: 'open', severity: 'info', deviceIDs: [device], ruleName: 'Fire' });
});

test('a rule that counts across devices has one alert for all of them, without a device of its own', async () => {
  const { addDevice, say, now, addRule, alertsOf } = await createAlertScene();
  const devices = [await addDevice(), await addDevice()];
  const rule = await addRule({ ...fire, atLeast: { count: 2, withinSeconds: 60, acrossDevices: true } });
  for (const [at, device] of devices.entries()) await say(device, now - 10 * minuteMs + at * 1_000, 'fire');
  await say(devices[0]!, now - 10 * minuteMs + 2_000, 'fire');
  const [alert, ...more] = await alertsOf(rule);
  expect(more).toEqual([]);
  expect(alert).toMatchObject({ deviceIDs: devices, matchCount: 2 });
  expect(alert).not.toHaveProperty('deviceID');
});

test('a late match between two alerts joins the earlier, and they stay two', async () => {
  const { addDevice, say, now, addRule, alertsOf, matchesOf } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, groupSeconds: 60 });
  const start = now - 30 * minuteMs;
  const first = await say(device, start, 'fire');
  const second = await say(device, start + 100_000, 'fire');
  expect(await alertsOf(rule)).toHaveLength(2);
  const between = await say(device, start + 50_000, 'fire');
  const alerts = await alertsOf(rule);
  expect(await Promise.all(alerts.map(({ key = 0 }) => matchesOf(key)))).toEqual([[first, between], [second]]);
});

test('a match that is judged after its alert was closed begins a new one; so does one 24 hours after the first', async () => {
  const { client, addDevice, say, now, addRule, alertsOf } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, groupSeconds: 86_400 });
  const start = now - 30 * hourMs;
  await say(device, start, 'fire');
  await say(device, start + 20 * hourMs, 'fire');
  await say(device, start + 24 * hourMs, 'fire');
  expect((await alertsOf(rule)).map(({ matchCount }) => matchCount)).toEqual([3]);
  await say(device, start + 24 * hourMs + 1, 'fire');
  const [first, second] = await alertsOf(rule);
  expect([first?.matchCount, second?.matchCount]).toEqual([3, 1]);
  for (const alert of [first, second])
    await client.updateRuleAlert({ params: { alertID: alert?.key ?? 0 }, body: { state: 'closed' } });
  await say(device, start + hourMs, 'fire');
  expect((await alertsOf(rule)).map(({ state, closeReason }) => [state, closeReason])).toEqual([
    ['closed', 'person'],
    ['open', undefined],
    ['closed', 'person'],
  ]);
});

test('a match that is withdrawn and comes back is in its alert again, and nobody is told twice', async () => {
  const { addDevice, say, now, addRule, alertsOf, bell, correct } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, actions: notify });
  await say(device, now - 3 * minuteMs, 'fire');
  const second = await say(device, now - 2 * minuteMs, 'fire');
  await alertsOf(rule);
  await correct(second, 'water');
  const [shorter] = await alertsOf(rule);
  expect(shorter).toMatchObject({ matchCount: 1, lastStartTime: Math.floor((now - 3 * minuteMs) / 1_000) });
  await correct(second, 'fire');
  expect(await alertsOf(rule)).toMatchObject([
    { matchCount: 2, lastStartTime: Math.floor((now - 2 * minuteMs) / 1_000) },
  ]);
  expect((await bell()).results.filter(({ kind }) => kind === 'alert')).toHaveLength(1);
});

test('an alert without matches is closed by the platform, and what was told is resolved; a match that comes back begins another', async () => {
  const { addDevice, say, now, addRule, alertsOf, bell, correct } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, actions: notify });
  const clip = await say(device, now - minuteMs, 'fire');
  expect(await bell()).toMatchObject({ unreadCount: 1, results: [{ isResolved: false, isRead: false, text: 'fire' }] });
  await correct(clip, 'water');
  const [closed] = await alertsOf(rule);
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'withdrawn', matchCount: 0 });
  expect(closed).not.toHaveProperty('stateBy');
  const resolved = await bell();
  expect(resolved).toMatchObject({ unreadCount: 0, results: [{ isResolved: true, isRead: true }] });
  expect(resolved.results[0]).not.toHaveProperty('text');
  await correct(clip, 'fire');
  const alerts = await alertsOf(rule);
  expect(alerts.map(({ state, matchCount }) => [state, matchCount])).toEqual([
    ['closed', 0],
    ['open', 1],
  ]);
  expect(await bell()).toMatchObject({ unreadCount: 1 });
});

test('a re-dated clip takes its alert along if it is alone, and else leaves it', async () => {
  const { client, addDevice, say, now, addRule, alertsOf, bell } = await createAlertScene();
  const device = await addDevice();
  const rule = await addRule({ ...fire, groupSeconds: 60, actions: notify });
  const redate = (audioClipID: number, startMs: number) =>
    client.updateAudioClip({
      params: { audioClipID },
      body: { startTime: Math.floor(startMs / 1_000), startTimeMs: startMs % 1_000 },
    });
  const start = now - hourMs;
  const clip = await say(device, start, 'fire');
  const [before] = await alertsOf(rule);
  await redate(clip, start + 20 * minuteMs);
  expect(await alertsOf(rule)).toMatchObject([
    { key: before?.key, state: 'open', startTime: Math.floor((start + 20 * minuteMs) / 1_000), matchCount: 1 },
  ]);
  expect((await bell()).results).toHaveLength(1);
  await say(device, start + 20 * minuteMs + 30_000, 'fire');
  await alertsOf(rule);
  await redate(clip, start);
  expect((await alertsOf(rule)).map(({ key, matchCount }) => [key === before?.key, matchCount])).toEqual([
    [false, 1],
    [true, 1],
  ]);
});
