import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import { createAlertScene, fire, hourMs, minuteMs } from './scene.ts';

test('a rule runs a preset once an alert, on the device of the clip or on named ones, with its own rights', async () => {
  const { client, person, server, addDevice, say, now, addRule, actsOf, eventsOf } = await createAlertScene();
  const [device, named] = [await addDevice(), await addDevice()];
  const { key: eventPresetID = 0 } = await client.createEventPreset({
    body: { eventType: 'Report_diagnostics', eventParameters: '{"full":true}', priority: 3 },
  });
  const { key: ofOther = 0 } = await client.createEventPreset({
    body: { eventType: 'Report_diagnostics', deviceID: named },
  });
  const rule = await addRule({
    ...fire,
    where: { deviceIDs: [device] },
    actions: [
      { action: 'runPreset', eventPresetID },
      { action: 'runPreset', eventPresetID, on: 'named', deviceIDs: [named] },
      { action: 'runPreset', eventPresetID: ofOther },
    ],
  });
  await say(device, now - 2 * minuteMs, 'fire');
  await say(device, now - minuteMs, 'fire');
  const acts = await actsOf(rule);
  expect(acts.map(({ deviceID, refusal }) => [deviceID, refusal])).toEqual([
    [device, undefined],
    [named, undefined],
    [device, 'The preset is for other devices.'],
  ]);
  const [event, ...more] = await eventsOf(device);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ key: acts[0]?.eventID, eventParameters: '{"full":true}', priority: 3 });
  expect((await eventsOf(named)).map(({ key }) => key)).toEqual([acts[1]?.eventID]);
  const trail = await server.db`
    select record_key, rule_id from audit_entries where user_id = ${person.userID} and action = 'rule-ordered' order by record_key`;
  expect(trail).toEqual([acts[0]?.eventID, acts[1]?.eventID].map((record_key) => ({ record_key, rule_id: rule })));
});

test('other presets need an admin who allowed this version of the rule and this content', async () => {
  const { server, client, addDevice, say, now, addRule, actsOf, eventsOf, bell } = await createAlertScene();
  const { session: admin } = server.admin;
  const device = await addDevice();
  const preset = { eventType: 'Start_recording', eventParameters: '{"seconds":60}' };
  const { key: eventPresetID = 0 } = await client.createEventPreset({ body: preset });
  const ruleID = await addRule({
    ...fire,
    groupSeconds: 0,
    actions: [{ action: 'lock' }, { action: 'runPreset', eventPresetID }],
  });
  let minutes = 30;
  const lastAct = async () => {
    await say(device, now - minutes-- * minuteMs, 'fire');
    return (await actsOf(ruleID)).at(-1);
  };
  expect(await lastAct()).toMatchObject({
    refusal: 'An admin has not allowed Start_recording for this version of the rule.',
  });
  expect((await bell()).results.filter(({ kind }) => kind === 'refused')).toHaveLength(1);
  const params = { ruleID };
  const waiting = async () => (await admin.listRuleAllowances()).find((each) => each.ruleID === ruleID);
  const first = await waiting();
  expect(first).toMatchObject({ state: 'waiting', position: 1, version: 1, on: 'device', ...preset });
  expect(await client.listRuleAllowances()).toEqual([first]);
  const body = { position: 1, version: 1, contentHash: first?.contentHash ?? '' };
  const other = createHash('sha256').update('other').digest('hex');
  await expect(admin.allowRuleAction({ params, body: { ...body, version: 2 } })).rejects.toMatchObject({ status: 412 });
  await expect(admin.allowRuleAction({ params, body: { ...body, contentHash: other } })).rejects.toMatchObject({
    status: 412,
  });
  await expect(admin.allowRuleAction({ params, body: { ...body, position: 0 } })).rejects.toMatchObject({
    status: 409,
  });
  await expect(client.allowRuleAction({ params, body })).rejects.toMatchObject({ status: 403 });
  expect(await admin.allowRuleAction({ params, body })).toMatchObject({
    state: 'allowed',
    allowedBy: server.admin.userID,
  });
  expect(await lastAct()).toMatchObject({ deviceID: device, eventID: expect.any(Number) });

  await client.updateEventPreset({ params: { eventPresetID }, body: { eventParameters: '{"seconds":3600}' } });
  expect(await lastAct()).toMatchObject({ refusal: expect.stringMatching(/must be allowed again/) });
  expect(await waiting()).toMatchObject({ state: 'changed' });
  await client.updateEventPreset({ params: { eventPresetID }, body: { eventParameters: preset.eventParameters } });
  expect(await lastAct()).toMatchObject({ eventID: expect.any(Number) });
  await client.updateRule({ params: { ruleID }, body: { version: 1, ruleName: 'Another' } });
  expect(await lastAct()).toMatchObject({ refusal: expect.stringMatching(/has not allowed/) });
  const second = await waiting();
  expect(second).toMatchObject({ state: 'changed', version: 2 });
  await admin.allowRuleAction({ params, body: { position: 1, version: 2, contentHash: second?.contentHash ?? '' } });
  await admin.disallowRuleAction({ params, query: { position: 1 } });
  expect(await lastAct()).toMatchObject({ refusal: expect.stringMatching(/has not allowed/) });
  expect(await eventsOf(device)).toHaveLength(2);
});

test('a rule asks for the sound around the clip, also of clips that are announced later; none is asked for twice', async () => {
  const { client, addDevice, say, now, addRule, actsOf, eventsOf, allJudged } = await createAlertScene();
  const device = await addDevice();
  const ruleID = await addRule({
    ...fire,
    actions: [{ action: 'requestUpload', beforeSeconds: 60, afterSeconds: 60 }],
  });
  const start = now - 10 * minuteMs;
  await say(device, start - 61_001);
  const before = await say(device, start - 60_000);
  const here = await say(device, start - 30_000);
  await client.putAudioClipContent({ params: { audioClipID: here }, body: tinyWav() });
  const clip = await say(device, start, 'fire');
  const acts = await actsOf(ruleID);
  expect(acts).toMatchObject([{ action: 'requestUpload', deviceID: device, eventID: expect.any(Number) }]);
  const after = await say(device, start + 61_000);
  await say(device, start + 61_001);
  await allJudged();
  const wanted = async () =>
    (await eventsOf(device)).map(({ eventParameters = '' }) => JSON.parse(eventParameters).audioClips);
  expect(await wanted()).toEqual([[before, clip], [after]]);
  expect(await client.getAudioClip({ params: { audioClipID: after } })).toMatchObject({ audioClipStatus: 1 });
  expect((await actsOf(ruleID)).map(({ eventID }) => eventID)).toEqual((await eventsOf(device)).map(({ key }) => key));
  // What a rule asked for causes no further work.
  await client.correctCaption({ params: { captionID: after }, body: { transcript: 'fire' } });
  const [alert] = (await client.listRuleAlerts({ body: { ruleID } })).results;
  await client.updateRuleAlert({ params: { alertID: alert?.key ?? 0 }, body: { state: 'closed' } });
  await client.correctCaption({ params: { captionID: before }, body: { transcript: 'fire' } });
  await allJudged();
  expect((await actsOf(ruleID))[0]).toMatchObject({ refusal: expect.stringMatching(/cause no further work/) });
  expect(await wanted()).toHaveLength(2);
});

test('a clip whose upload a preset asked for causes no further work either', async () => {
  const { client, addDevice, say, now, addRule, actsOf, correct } = await createAlertScene();
  const [device, other] = [await addDevice(), await addDevice()];
  const [wanted, elsewhere] = [await say(device, now - 9 * minuteMs), await say(other, now - 9 * minuteMs)];
  const { key: eventPresetID = 0 } = await client.createEventPreset({
    body: {
      eventType: 'Upload_audio_clips',
      eventParameters: JSON.stringify({ audioClips: [wanted, elsewhere, 'x'] }),
    },
  });
  const ruleID = await addRule({
    ...fire,
    groupSeconds: 0,
    where: { deviceIDs: [device, other] },
    actions: [{ action: 'runPreset', eventPresetID }],
  });
  await say(device, now - minuteMs, 'fire');
  expect(await actsOf(ruleID)).toMatchObject([{ deviceID: device, eventID: expect.any(Number) }]);
  await correct(wanted, 'fire');
  await correct(elsewhere, 'fire');
  const acts = await actsOf(ruleID);
  expect(acts.map(({ eventID, refusal }) => [eventID !== undefined, refusal?.slice(0, 28)])).toEqual(
    expect.arrayContaining([
      [false, 'A rule asked for the upload '],
      [true, undefined],
      [true, undefined],
    ]),
  );
});

test('nearest: with a position, that the owner may write to, within 50 km, measured in the last 30 minutes', async () => {
  const { server, client, addDevice, say, now, addRule, actsOf, person } = await createAlertScene();
  const device = await addDevice();
  const at = (deviceID: number, latitude: number) =>
    server.db`
      insert into device_positions (device_id, latitude, longitude, source, position_date)
      values (${deviceID}, ${latitude}, 8, 'health', now())`;
  const [near, nearer, far, old, fixed] = await Promise.all(Array.from({ length: 6 }, () => addDevice()));
  await at(device, 60);
  await at(near!, 60.44);
  await at(nearer!, 60.1);
  await at(far!, 60.46);
  await at(old!, 60.01);
  await at(fixed!, 60.2);
  await server.db`
    update device_positions set position_date = now() - interval '31 minutes' where device_id = any(${[old!, fixed!]}::bigint[])`;
  await server.db`update device_positions set source = 'hand' where device_id = ${fixed!}`;
  const other = await createAlertScene();
  const [readable, writable] = [await other.addDevice(), await other.addDevice()];
  await other.lend(readable, person.userID);
  await other.lend(writable, person.userID, 'write');
  await at(readable, 60.001);
  await at(writable, 60.3);
  const { key: eventPresetID = 0 } = await client.createEventPreset({ body: { eventType: 'Report_diagnostics' } });
  const run = async (count: number) => {
    const ruleID = await addRule({
      ...fire,
      where: { deviceIDs: [device] },
      actions: [{ action: 'runPreset', eventPresetID, on: 'nearest', count }],
    });
    await say(device, now - minuteMs - count, 'fire');
    return (await actsOf(ruleID)).map(({ deviceID }) => deviceID);
  };
  expect(await run(2)).toEqual([nearer, fixed]);
  expect(await run(20)).toEqual([nearer, fixed, writable, near]);
});

test('sound of every device of the rule is asked for where there is some', async () => {
  const { addDevice, say, now, addRule, actsOf } = await createAlertScene();
  const [device, other, silent] = [await addDevice(), await addDevice(), await addDevice()];
  const ruleID = await addRule({
    ...fire,
    where: { deviceIDs: [device, other, silent] },
    actions: [{ action: 'requestUpload', from: 'every', beforeSeconds: 10, afterSeconds: 10 }],
  });
  await say(other, now - minuteMs - 5_000);
  await say(silent, now - hourMs);
  await say(device, now - minuteMs, 'fire');
  expect((await actsOf(ruleID)).map(({ deviceID }) => deviceID)).toEqual([device, other]);
});
