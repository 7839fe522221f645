import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { trunkRecorderCall } from './curl-form.ts';
import { createRecorder, full, rdio } from './recorder.ts';

test('radio calls are found by their words, with their talkgroup, and by talkgroup', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const { owner, call, calls, post } = await createRecorder(server);
  // Two talkgroups in the same second.
  await post(rdio, trunkRecorderCall(call()));
  await post(rdio, trunkRecorderCall(call({ talkgroup: 99 })));
  for (const { key: captionID = 0 } of await calls()) {
    await owner.session.correctCaption({ params: { captionID }, body: { transcript: 'engine five' } });
  }
  const device = await owner.session.createDevice({ body: { deviceSerial: 'no-radio' } });
  const { key: clipID = 0 } = await owner.session.announceAudioClip({
    params: { audioClipID: 'no-radio' },
    body: { startTime: 1_794_705_000, clipLengthInSeconds: 5 },
  });
  await owner.session.correctCaption({ params: { captionID: clipID }, body: { transcript: 'engine six' } });

  const find = async (more: object = {}) =>
    (await owner.session.searchCaptions({ query: {}, body: { searchText: 'engine', ...more } })).results;
  const all = await find();
  expect(new Set(all.map(({ radioCall }) => radioCall?.talkgroup))).toEqual(new Set([4521, 99, undefined]));
  expect(all.find(({ deviceID }) => deviceID === device.key)).not.toHaveProperty('radioCall');
  const [hit, ...others] = await find({ talkgroup: 4521 });
  expect(others).toEqual([]);
  expect(hit?.radioCall).toMatchObject(full);
  expect(await owner.session.getRadioCall({ params: { audioClipID: hit?.key ?? 0 } })).toEqual(hit?.radioCall);
});
