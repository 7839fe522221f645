import type { Client } from '@earshot/client/client';
import { startTestServer, type TestServer } from '@earshot/server/testing/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDevice, type Device } from '../events/fleet.ts';
import { expected, type ModelClip, overlaps, queries, type Query, worlds } from './list-model.ts';
import { announce, announceAll } from './recordings.ts';

/*
 * Every list of clips against a model that filters and sorts: several devices, orders, counts, types, tags, words and
 * ranges whose bounds meet the clips. A failure prints its seed; LISTS_SEED repeats it.
 */
const seed = Number(process.env['LISTS_SEED'] ?? 20_261_115);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

interface World {
  readonly client: Client;
  readonly devices: readonly Device[];
  readonly clips: readonly (ModelClip & { key: number })[];
  readonly tagIDs: ReadonlyMap<string, number>;
}

const at = (ms: number) => ({ s: Math.floor(ms / 1000), ms: ms % 1000 });

/** Somebody with some devices, while others have clips at the same times. */
async function createWorld(model: readonly ModelClip[]): Promise<World> {
  const { client } = await (await server.addPerson()).withKey();
  const devices = await Promise.all([0, 1, 2, 3].map(() => addDevice(client)));
  const clips: (ModelClip & { key: number })[] = [];
  const tagIDs = new Map<string, number>();
  for (const clip of model) {
    const [start, end] = [at(clip.startMs), clip.endMs === null ? undefined : at(clip.endMs)];
    const { key } = await announce(client, devices[clip.device]!, {
      startTime: start.s,
      startTimeMs: start.ms,
      audioClipTypeID: clip.typeID,
      ...(end ? { endTime: end.s, endTimeMs: end.ms } : {}),
    });
    clips.push({ ...clip, key });
    for (const tagName of clip.tags) {
      const tag = await client.createAudioClipTag({ params: { audioClipID: key }, body: { tagName } });
      tagIDs.set(tagName, tag.tagID ?? 0);
      // A tag may be at several moments of a clip; the clip is listed once.
      await server.db`
        insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
        select audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms + 7 from audio_clip_tags where key = ${tag.key ?? 0}`;
    }
    if (clip.transcript !== undefined) {
      await server.db`
        insert into captions (audio_clip_id, device_id, transcript)
        values (${key}, ${devices[clip.device]?.deviceID ?? 0}, ${clip.transcript})`;
    }
  }
  return { client, devices, clips, tagIDs };
}

const keysOf = (clips: readonly { key?: number }[]) => clips.map(({ key }) => key);

function given<Value>(name: string, value: Value | undefined) {
  return value === undefined ? {} : { [name]: value };
}

async function check({ client, devices, clips, tagIDs }: World, query: Query): Promise<void> {
  const { startEpoch, endEpoch, count, order, searchText } = query;
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) return;
  const range = { ...given('startEpoch', startEpoch), ...given('endEpoch', endEpoch) };
  const common = { ...range, ...given('count', count), ...given('order', order) };
  const idOf = (index: number) => devices[index]?.deviceID ?? 0;
  const tags = query.tags?.map((name) => tagIDs.get(name) ?? 987_654_321);
  const typed = { ...common, ...given('audioClipTypeID', query.typeID), ...given('tagList', tags) };
  const plain = { ...query, searchText: undefined };

  const one = query.devices?.[0];
  const list = await client.listAudioClips({ body: { ...typed, ...given('deviceID', one && idOf(one)) } });
  expect(keysOf(list)).toEqual(expected(clips, { ...plain, devices: one ? [one] : undefined }));
  const all = await client.listAudioClips({ query: { alldevices: true }, body: { ...typed, deviceID: idOf(0) } });
  expect(keysOf(all)).toEqual(expected(clips, { ...plain, devices: undefined }));

  const deviceIDList = query.devices && [...query.devices.map(idOf), 987_654_321];
  const several = await client.listAudioClipsOfDevices({ body: { ...common, ...given('deviceIDList', deviceIDList) } });
  expect(keysOf(several)).toEqual(expected(clips, { ...plain, typeID: undefined, tags: undefined }));

  const body = {
    ...common,
    ...given('deviceIDList', deviceIDList),
    ...given('tagIDList', tags),
    ...given('searchText', searchText),
  };
  const { audioClipList } = await client.listAudioClipsWithTags({ body });
  expect(keysOf(audioClipList)).toEqual(expected(clips, { ...query, typeID: undefined }));

  const device = one ?? 0;
  const extracted = await client.extractAudioClips({
    body: { deviceSerial: devices[device]?.deviceSerial ?? '', ...range },
  });
  const ofDevice = { ...plain, devices: [device], typeID: undefined, tags: undefined, count: 1e6, order: 'asc' };
  expect(keysOf(extracted)).toEqual(expected(clips, ofDevice));
}

test('every list brings what the model brings, in its order', async () => {
  const stranger = (await server.addPerson()).session;
  await announceAll(stranger, await addDevice(stranger), [{ startTime: 1, clipLengthInSeconds: 20 }, { startTime: 5 }]);
  const property = fc.asyncProperty(
    worlds,
    fc.array(queries, { minLength: 25, maxLength: 25 }),
    async (model, asked) => {
      const world = await createWorld(model);
      for (const query of asked) await check(world, query);
    },
  );
  await fc.assert(property, { seed, numRuns: 12, endOnFailure: true });
});

test('a clip is in every range that it touches and in no other, to the millisecond', async () => {
  const { client } = await (await server.addPerson()).withKey();
  for (const [startMs, endMs] of [
    [1999, 2001],
    [2000, 3000],
    [1000, 2000],
    [2000, 2000],
    [2999, 2999],
    [2000, null],
    [1999, null],
    [0, 86_400_000],
  ] as const) {
    const device = await addDevice(client);
    const [start, end] = [at(startMs), endMs === null ? undefined : at(endMs)];
    await announce(client, device, {
      startTime: start.s,
      startTimeMs: start.ms,
      ...(end ? { endTime: end.s, endTimeMs: end.ms } : {}),
    });
    for (const [startEpoch, endEpoch] of [
      [2, 3],
      [1, 2],
      [3, 4],
      [2, 2],
      [0, 86_400],
      [86_399, 86_400],
      [86_400, 86_401],
    ] as const) {
      const found = await client.listAudioClips({ body: { deviceID: device.deviceID, startEpoch, endEpoch } });
      const isInside = overlaps({ startMs, endMs }, startEpoch * 1000, endEpoch * 1000);
      expect(found.length, `${startMs} to ${endMs} in ${startEpoch} to ${endEpoch}`).toBe(isInside ? 1 : 0);
    }
  }
});
