import { request } from 'node:http';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { curlForm, downstreamCall, sdrTrunkCall, trunkRecorderCall } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, full, imported, rdio, sound, without } from './recorder.ts';

let server: TestServer;
let owner: Recorder['owner'];
let uploadKeyID: Recorder['uploadKeyID'];
let startTime: Recorder['startTime'];
let call: Recorder['call'];
let calls: Recorder['calls'];
let noFileIsLeft: Recorder['noFileIsLeft'];
let post: Recorder['post'];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ owner, uploadKeyID, startTime, call, calls, noFileIsLeft, post } = await createRecorder(server));
});

describe('rdio-scanner uploads', () => {
  test('by trunk-recorder: the sound, its facts and its device', async () => {
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject(imported);
    const [clip, ...others] = await calls();
    expect(others).toEqual([]);
    expect(clip).toMatchObject({ startTime, startTimeMs: 0, endTimeMs: 500, audioClipStatus: 3, deviceName: 'county' });
    expect(clip?.mayWrite).toBe(true);
    expect(clip?.radioCall).toMatchObject({
      ...full,
      talkgroupName: 'County fire dispatch',
      talkgroupTag: 'Fire Dispatch',
      units: [1_610_018, 1_610_022],
      patches: [4521, 4600],
      isEmergency: false,
      isClockOff: false,
    });
    const params = { audioClipID: clip?.key ?? 0 };
    expect(await owner.session.getRadioCall({ params })).toEqual(clip?.radioCall);
    const content = await owner.session.getAudioClipContent({ params });
    expect(new Uint8Array(await content.arrayBuffer())).toEqual(sound);
    const response = await fetch(new URL(clip?.waveformURL ?? '', server.url), { headers: { cookie: owner.cookie } });
    expect(response.status).toBe(200);
    const device = await owner.session.getDevice({ params: { deviceID: clip?.deviceID ?? 0 } });
    expect(device).toMatchObject({ deviceSerial: `rdio-${uploadKeyID}-7`, userID: owner.userID });
    await noFileIsLeft();
  });

  test('by SDRTrunk', async () => {
    expect(await post(rdio, sdrTrunkCall(call()))).toMatchObject(imported);
    expect((await calls())[0]?.radioCall).toMatchObject({ ...full, units: [1_610_018], patches: [] });
  });

  test('by SDRTrunk with its second content type', async () => {
    const { headers, body } = curlForm(sdrTrunkCall(call()));
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const types = [headers['content-type'], 'audio/mpeg'];
      const sent = request(new URL(rdio, server.url), { method: 'POST', headers: { 'content-type': types } });
      sent.once('response', (response) => resolve(response.resume().statusCode)).once('error', reject);
      sent.end(body);
    });
    expect(status).toBe(200);
    expect((await calls())[0]?.radioCall).toMatchObject(full);
  });

  test('by a downstream of rdio-scanner', async () => {
    expect(await post(rdio, downstreamCall(call()))).toMatchObject(imported);
    expect((await calls())[0]).toMatchObject({ startTime, radioCall: { ...full, patches: [4600] } });
  });

  test('with the time in milliseconds, a site and a unit', async () => {
    const parts = without(trunkRecorderCall(call()), 'dateTime', 'sources', 'patches');
    const more = [
      { name: 'timestamp', value: `${startTime}250` },
      { name: 'site', value: '3' },
      { name: 'unit', value: '55' },
      { name: 'patched_talkgroups', value: '[4600, "x", 1099511627776, -1]' },
    ];
    expect(await post(rdio, [...parts, ...more])).toMatchObject(imported);
    const [clip] = await calls();
    expect(clip).toMatchObject({ startTime, startTimeMs: 250, deviceName: 'county, site 3' });
    expect(clip?.radioCall).toMatchObject({ unit: 55, site: '3', patches: [4600] });
    const device = await owner.session.getDevice({ params: { deviceID: clip?.deviceID ?? 0 } });
    expect(device.deviceSerial).toBe(`rdio-${uploadKeyID}-7-3`);
  });

  test('the order of the parts does not matter', async () => {
    const parts = trunkRecorderCall(call());
    expect(await post(rdio, parts.toReversed())).toMatchObject(imported);
    expect((await calls())[0]?.radioCall).toMatchObject(full);
  });

  test('a repeated call is stored once, and taken as done', async () => {
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject(imported);
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject({
      status: 200,
      text: 'duplicate call rejected\n',
    });
    const atOnce = await Promise.all(Array.from({ length: 6 }, () => post(rdio, sdrTrunkCall(call({ talkgroup: 9 })))));
    expect(atOnce.map(({ status }) => status)).toEqual(atOnce.map(() => 200));
    expect(atOnce.filter(({ text }) => text === imported.text)).toHaveLength(1);
    expect(await calls()).toHaveLength(2);
    await noFileIsLeft();
  });

  test('a repeated call brings back no sound that a person replaced or took away', async () => {
    const repeat = async () =>
      expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject({ text: 'duplicate call rejected\n' });
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject(imported);
    const audioClipID = (await calls())[0]?.key ?? 0;
    await owner.session.putAudioClipContent({ params: { audioClipID }, body: tinyWav(1) });
    await repeat();
    await owner.session.updateAudioClip({ params: { audioClipID }, body: { fileID: null } });
    await repeat();
    const clips = await calls();
    expect(clips.map(({ key, fileID }) => ({ key, fileID }))).toEqual([{ key: audioClipID, fileID: undefined }]);
  });

  test('two talkgroups in one second are two clips; so is one call from two systems or keys', async () => {
    const { secret: second = '' } = await owner.session.createUploadKey({ body: {} });
    const sent = [call(), call({ talkgroup: 4522 }), call({ system: 8 }), call({ key: second })];
    const answers = await Promise.all(sent.map((one) => post(rdio, trunkRecorderCall(one))));
    expect(answers.map(({ text }) => text)).toEqual(sent.map(() => imported.text));
    const clips = await calls();
    expect(clips).toHaveLength(4);
    expect(new Set(clips.map(({ deviceID }) => deviceID)).size).toBe(3);
  });

  test('two owners with the same system number do not meet', async () => {
    const other = await server.addPerson();
    const { secret = '' } = await other.session.createUploadKey({ body: {} });
    await post(rdio, trunkRecorderCall(call()));
    await post(rdio, trunkRecorderCall(call({ key: secret })));
    expect(await calls()).toHaveLength(1);
    expect(await calls(other)).toHaveLength(1);
    expect((await calls())[0]?.deviceID).not.toBe((await calls(other))[0]?.deviceID);
  });

  test('the first calls of a system at once create one device', async () => {
    const sent = Array.from({ length: 8 }, (_, index) => call({ system: 31, talkgroup: 100 + index }));
    await Promise.all(sent.map((one) => post(rdio, trunkRecorderCall(one))));
    const clips = await calls();
    expect(clips).toHaveLength(8);
    expect(new Set(clips.map(({ deviceID }) => deviceID)).size).toBe(1);
  });

  test('a serial that somebody else has is not taken over', async () => {
    const squatter = await server.addPerson();
    await squatter.session.createDevice({ body: { deviceSerial: `rdio-${uploadKeyID}-7` } });
    expect(await post(rdio, trunkRecorderCall(call()))).toMatchObject(imported);
    const devices = await owner.session.listOwnDevices();
    expect(devices.map(({ deviceSerial }) => deviceSerial)).toEqual([`rdio-${uploadKeyID}-7-2`]);
    expect(await calls(squatter)).toEqual([]);
  });

  test('a device that was given away gets no more calls', async () => {
    await post(rdio, trunkRecorderCall(call()));
    const [device] = await owner.session.listOwnDevices();
    const receiver = await server.addPerson();
    const params = { deviceID: device?.key ?? 0 };
    await owner.session.updateDevice({ params, body: { userID: receiver.userID } });
    expect(await post(rdio, trunkRecorderCall(call({ talkgroup: 9 })))).toMatchObject(imported);
    expect(await calls(receiver)).toHaveLength(1);
    expect(await calls()).toHaveLength(1);
  });

  test.each([
    ['epoch 1', 1],
    ['the year 2099', 4_070_908_800],
  ])('a clock at %s is accepted and marked', async (_title, time) => {
    expect(await post(rdio, trunkRecorderCall(call({ startTime: time })))).toMatchObject(imported);
    const [clip] = await calls();
    expect(clip).toMatchObject({ startTime: time, radioCall: { isClockOff: true } });
    expect(Date.now() - Date.parse(clip?.radioCall?.arrivalDate ?? '')).toBeLessThan(600_000);
  });
});
