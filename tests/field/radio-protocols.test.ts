import { randomUUID } from 'node:crypto';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { FormPart } from './curl-form.ts';
import { openMhzCall, trunkRecorderCall, trunkRecorderMeta } from './curl-form.ts';
import type { Recorder } from './recorder.ts';
import { createRecorder, full, imported, old, rdio, without } from './recorder.ts';

let server: TestServer;
let owner: Recorder['owner'];
let key: Recorder['key'];
let startTime: Recorder['startTime'];
let call: Recorder['call'];
let calls: Recorder['calls'];
let post: Recorder['post'];
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ({ owner, key, startTime, call, calls, post } = await createRecorder(server));
});

describe('the older form of trunk-recorder', () => {
  test('its JSON is read', async () => {
    expect(await post(old, trunkRecorderMeta(call()))).toMatchObject(imported);
    const [clip] = await calls();
    expect(clip).toMatchObject({ startTime, deviceName: 'county' });
    expect(clip?.radioCall).toMatchObject({
      ...full,
      isEmergency: true,
      patches: [4600],
      talkgroupTag: 'Fire Dispatch',
    });
  });

  test('the JSON may be a plain part', async () => {
    const parts = trunkRecorderMeta(call()).map(({ filename, ...part }) =>
      part.name === 'meta' ? part : { ...part, ...(filename === undefined ? {} : { filename }) },
    );
    expect(await post(old, parts)).toMatchObject(imported);
  });

  test.each(['{', '[]', 'null', '5', '{"talkgroup":"x"}'])('a JSON of %j', async (meta) => {
    const parts = trunkRecorderMeta(call()).map((part) => (part.name === 'meta' ? { ...part, value: meta } : part));
    expect(await post(old, parts)).toMatchObject({ status: 417, text: 'Incomplete call data: no talkgroup\n' });
  });

  test.each([9_007_199_254_740_991, 253_402_300_800, -5, 'soon'])('a start of %j', async (start_time) => {
    const answer = await post(old, trunkRecorderMeta(call(), { start_time }));
    expect(answer).toMatchObject({ status: 417, text: 'Incomplete call data: no datetime\n' });
  });

  test('an encrypted call without sound is skipped', async () => {
    const parts = trunkRecorderMeta(call({ sound: new Uint8Array() }), { encrypted: 1 });
    expect(await post(old, parts)).toMatchObject(imported);
    expect(await calls()).toEqual([]);
  });

  test('and the newer form are one device, and the same call', async () => {
    await post(old, trunkRecorderMeta(call()));
    expect((await post(rdio, trunkRecorderCall(call()))).text).toBe('duplicate call rejected\n');
  });
});

describe('OpenMHz', () => {
  const upload = '/openmhz/county/upload';
  const probe = '/openmhz/county/authorize';

  test('a call', async () => {
    expect(await post(upload, openMhzCall(call()))).toMatchObject({ status: 200, text: '' });
    const [clip] = await calls();
    expect(clip).toMatchObject({ startTime, deviceName: 'county' });
    expect(clip?.radioCall).toMatchObject({
      talkgroup: 4521,
      unit: 1_610_018,
      frequency: 851_012_500,
      patches: [4521, 4600],
    });
    expect(await post(upload, openMhzCall(call()))).toMatchObject({ status: 200, text: '' });
    expect(await calls()).toHaveLength(1);
  });

  test('the probe', async () => {
    expect((await post(probe, [{ name: 'api_key', value: key }])).status).toBe(200);
    expect((await post(probe, [{ name: 'api_key', value: 'wrong' }])).status).toBe(403);
    expect((await post(probe, [])).status).toBe(403);
  });

  test.each([
    [
      'a wrong key',
      403,
      (parts: readonly FormPart[]) => parts.map((part) => (part.name === 'api_key' ? { ...part, value: 'x' } : part)),
    ],
    ['no talkgroup', 400, (parts: readonly FormPart[]) => without(parts, 'talkgroup_num')],
    ['no time', 400, (parts: readonly FormPart[]) => without(parts, 'start_time')],
    ['no sound', 400, (parts: readonly FormPart[]) => without(parts, 'call')],
  ])('%s', async (_title, status, change) => {
    expect((await post(upload, change(openMhzCall(call())))).status).toBe(status);
    expect(await calls()).toEqual([]);
  });
});

describe('radio fields', () => {
  beforeEach(async () => {
    await post(rdio, trunkRecorderCall(call()));
    await post(rdio, trunkRecorderCall(call({ talkgroup: 4522 })));
    await post(old, trunkRecorderMeta(call({ talkgroup: 4523 })));
  });
  const page = (body: object) => owner.session.listAudioClipPage({ body });
  const talkgroups = async (body: object) => (await page(body)).results.map(({ radioCall }) => radioCall?.talkgroup);

  test('filter lists', async () => {
    expect(await talkgroups({ talkgroup: 4522 })).toEqual([4522]);
    expect(await talkgroups({ unit: 1_610_018, order: 'asc' })).toEqual([4521, 4522, 4523]);
    expect(await talkgroups({ isEmergency: true })).toEqual([4523]);
    expect(await talkgroups({ isEmergency: false, order: 'asc' })).toEqual([4521, 4522]);
    expect(await talkgroups({ unit: 5 })).toEqual([]);
    expect(await talkgroups({ talkgroup: 4522, startEpoch: startTime + 1 })).toEqual([]);
  });

  test('page through calls of one second, forwards and back', async () => {
    const seen = [];
    let cursor: string | undefined;
    for (;;) {
      const found = await page({
        unit: 1_610_018,
        audioClipTypeID: 0,
        count: 1,
        order: 'asc',
        ...(cursor ? { cursor } : {}),
      });
      seen.push(...found.results.map(({ radioCall }) => radioCall?.talkgroup));
      cursor = found.next;
      if (cursor === undefined) break;
    }
    expect(seen).toEqual([4521, 4522, 4523]);
    const byType = await page({ audioClipTypeID: 0, count: 2, order: 'asc' });
    const rest = await page({ audioClipTypeID: 0, count: 2, order: 'asc', cursor: byType.next ?? '' });
    expect([...byType.results, ...rest.results].map(({ radioCall }) => radioCall?.talkgroup)).toEqual([
      4521, 4522, 4523,
    ]);
  });

  test('follow a clip that is moved', async () => {
    const [clip] = (await page({ talkgroup: 4522 })).results;
    await owner.session.updateAudioClip({
      params: { audioClipID: clip?.key ?? 0 },
      body: { startTime: startTime - 500 },
    });
    expect(await talkgroups({ unit: 1_610_018, order: 'asc' })).toEqual([4522, 4521, 4523]);
  });

  test('other people see none of it', async () => {
    const stranger = await server.addPerson();
    const [clip] = await calls();
    expect((await stranger.session.listAudioClipPage({ body: { talkgroup: 4521 } })).results).toEqual([]);
    const params = { audioClipID: clip?.key ?? 0 };
    await expect(stranger.session.getRadioCall({ params })).rejects.toMatchObject({ status: 404 });
    expect(await stranger.session.listTalkgroups({ body: {} })).toEqual([]);
  });

  test('the names of a talkgroup by a person are not changed by uploads', async () => {
    const [clip] = (await page({ talkgroup: 4521 })).results;
    const params = { deviceID: clip?.deviceID ?? 0 };
    await owner.session.updateTalkgroup({
      params,
      body: { talkgroup: 4521, talkgroupLabel: 'Feuerwehr', talkgroupTag: null },
    });
    await post(rdio, trunkRecorderCall(call({ startTime: startTime + 1 })));
    const [first, second] = (await page({ talkgroup: 4521, order: 'asc' })).results;
    for (const shown of [first, second]) {
      expect(shown?.radioCall).toMatchObject({ talkgroupLabel: 'Feuerwehr', talkgroupName: 'County fire dispatch' });
      expect(shown?.radioCall).not.toHaveProperty('talkgroupTag');
    }
  });

  test.each([
    [
      'RadioReference',
      '\uFEFF"Decimal","Hex","Alpha Tag","Mode","Description","Tag","Category"\r\n"4521","11a9","FD ""A""","D","Fire, main","Fire Dispatch","Fire"\r\n"x","","","","","",""\r\n',
    ],
    ['trunk-recorder', '4521,11a9,D,"FD ""A""","Fire, main",Fire Dispatch,Fire,1\nx,,,,,,,\n'],
  ])('names are imported from a file of %s', async (_title, csv) => {
    const [clip] = await calls();
    const params = { deviceID: clip?.deviceID ?? 0 };
    const answer = await owner.session.importTalkgroups({ params, body: { csv } });
    expect(answer).toMatchObject({ importedCount: 1, skippedLines: [{ line: expect.any(Number) as number }] });
    const [named] = await owner.session.listTalkgroups({ body: { ...params, searchText: 'main' } });
    expect(named).toMatchObject({
      talkgroup: 4521,
      talkgroupLabel: 'FD "A"',
      talkgroupName: 'Fire, main',
      talkgroupTag: 'Fire Dispatch',
      talkgroupGroup: 'Fire',
      isEdited: true,
    });
  });
});

test('fifty thousand names are imported at once', async () => {
  await post(rdio, trunkRecorderCall(call()));
  const [device] = await owner.session.listOwnDevices();
  const lines = Array.from(
    { length: 50_000 },
    (_, at) => `${at + 1},,D,TG ${at + 1},Département n° ${at + 1},Law,Police`,
  );
  const params = { deviceID: device?.key ?? 0 };
  const answer = await owner.session.importTalkgroups({ params, body: { csv: lines.join('\n') } });
  expect(answer).toEqual({ importedCount: 50_000, skippedLines: [] });
  const tooMany = owner.session.importTalkgroups({ params, body: { csv: [...lines, '50001,,D,x,,,'].join('\n') } });
  await expect(tooMany).rejects.toMatchObject({ status: 400 });
});

test('a person who may read a device may not name its talkgroups', async () => {
  await post(rdio, trunkRecorderCall(call()));
  const [device] = await owner.session.listOwnDevices();
  const reader = await server.addPerson();
  const collection = await owner.session.createCollection({ body: { collectionName: `Shared ${randomUUID()}` } });
  const params = { collectionID: collection.key ?? 0 };
  await owner.session.addCollectionItem({
    params: { collectionItemID: params.collectionID },
    body: { itemType: 'device', itemID: device?.key ?? 0 },
  });
  await owner.session.addCollectionItem({
    params: { collectionItemID: params.collectionID },
    body: { itemType: 'user', itemID: reader.userID },
  });
  const [shown] = await calls(reader);
  expect(shown).toMatchObject({ mayWrite: false, radioCall: full });
  const place = { deviceID: device?.key ?? 0 };
  const naming = reader.session.updateTalkgroup({ params: place, body: { talkgroup: 4521, talkgroupLabel: 'mine' } });
  await expect(naming).rejects.toMatchObject({ status: 403 });
});
