import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { trunkRecorderCall } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, full, imported, rdio } from './recorder.ts';

let server: TestServer;
let owner: Recorder['owner'];
let call: Recorder['call'];
let calls: Recorder['calls'];
let post: Recorder['post'];
let [mistakenID, deviceID] = [0, 0];

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ owner, call, calls, post } = await createRecorder(server));
  await post(rdio, trunkRecorderCall(call({ system: 7 })));
  await post(rdio, trunkRecorderCall(call({ system: 8, talkgroup: 99 })));
  const clips = await calls();
  mistakenID = clips.find(({ radioCall }) => radioCall?.talkgroup === 4521)?.deviceID ?? 0;
  deviceID = clips.find(({ radioCall }) => radioCall?.talkgroup === 99)?.deviceID ?? 0;
});

const merge = () => owner.session.mergeDevice({ params: { deviceID: mistakenID }, body: { intoDeviceID: deviceID } });

test('everything that was recorded moves, and later calls go to the other device', async () => {
  const [clip] = (await owner.session.listAudioClipPage({ body: { talkgroup: 4521 } })).results;
  const audioClipID = clip?.key ?? 0;
  await owner.session.correctCaption({
    params: { captionID: audioClipID },
    body: { transcript: 'engine five responds' },
  });
  await owner.session.createAudioClipTag({ params: { audioClipID }, body: { tagName: 'siren' } });
  expect(await merge()).toMatchObject({ key: deviceID });
  await expect(owner.session.getDevice({ params: { deviceID: mistakenID } })).rejects.toMatchObject({ status: 404 });

  const [moved] = (await owner.session.listAudioClipPage({ body: { deviceIDList: [deviceID], talkgroup: 4521 } }))
    .results;
  expect(moved).toMatchObject({ key: audioClipID, audioClipStatus: 3, radioCall: { ...full, deviceID } });
  expect(moved?.tagList).toMatchObject([{ tagName: 'siren' }]);
  const found = await owner.session.searchCaptions({ body: { searchText: 'engine five', deviceIDList: [deviceID] } });
  expect(found.results.map(({ key }) => key)).toEqual([audioClipID]);
  const content = await owner.session.getAudioClipContent({ params: { audioClipID } });
  expect(content.status).toBe(200);
  expect(await post(rdio, trunkRecorderCall(call({ system: 7, talkgroup: 5 })))).toMatchObject(imported);
  expect(new Set((await calls()).map((one) => one.deviceID))).toEqual(new Set([deviceID]));
  const orders = await server.db`select device_id from events where server_event = 1 and device_id = ${mistakenID}`;
  expect(orders).toHaveLength(0);
});

test('the same call on both devices is refused, and nothing is changed', async () => {
  await post(rdio, trunkRecorderCall(call({ system: 8 })));
  const before = await calls();
  await expect(merge()).rejects.toMatchObject({ status: 409 });
  expect(await calls()).toEqual(before);
});

test('only the owner of both may merge them', async () => {
  const stranger = await server.addPerson();
  const { key: own = 0 } = await stranger.session.createDevice({ body: { deviceSerial: `own-${Date.now()}` } });
  const params = { deviceID: own };
  const theirs = stranger.session.mergeDevice({ params, body: { intoDeviceID: deviceID } });
  await expect(theirs).rejects.toMatchObject({ status: 404 });
  const taking = stranger.session.mergeDevice({ params: { deviceID }, body: { intoDeviceID: own } });
  await expect(taking).rejects.toMatchObject({ status: 404 });
  const itself = stranger.session.mergeDevice({ params, body: { intoDeviceID: own } });
  await expect(itself).rejects.toMatchObject({ status: 409 });
});
