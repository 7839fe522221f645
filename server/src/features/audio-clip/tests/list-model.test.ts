import type { Client } from '@earshot/client/client';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import type { ModelClip, Query } from './list-model.ts';
import { expected, overlaps, queries, worlds } from './list-model.ts';
import { announce, announceAll } from './recordings.ts';
import { indexCaption } from '@earshot/server/features/caption-index/public';

/*
 * Compares every list of clips with a model that filters and sorts: several devices, orders, counts, types, tags, words
 * and ranges whose bounds touch the clips. A failure prints its seed; LISTS_SEED repeats it.
 */
const seed = Number(process.env['LISTS_SEED'] ?? 20_261_115);
/** list-model.long.test.ts has more. */
const numRuns = Number(process.env['LIST_RUNS'] ?? 5);

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

const given = <Value>(name: string, value: Value | undefined) => (value === undefined ? {} : { [name]: value });

const announced = ({ startMs, endMs, typeID }: ModelClip) => {
  const [start, end] = [at(startMs), endMs === null ? undefined : at(endMs)];
  return {
    startTime: start.s,
    startTimeMs: start.ms,
    audioClipTypeID: typeID,
    ...given('endTime', end?.s),
    ...given('endTimeMs', end?.ms),
  };
};

/** A person with some devices, while other people have clips at the same times. */
async function createWorld(model: readonly ModelClip[]): Promise<World> {
  const { client } = await (await server.addPerson()).withKey();
  const devices = await Promise.all([0, 1, 2, 3].map(() => addDevice(client)));
  const clips: (ModelClip & { key: number })[] = [];
  for (const [index, device] of devices.entries()) {
    const own = model.filter((clip) => clip.device === index);
    const answered = own.length > 0 ? await announceAll(client, device, own.map(announced)) : [];
    clips.push(...own.map((clip, position) => ({ ...clip, key: answered[position]?.key ?? 0 })));
  }
  // Captions and tags as captioning would write them; a clip may have a tag at several moments.
  const tagged = clips.flatMap(({ key, tags }) => tags.map((tag) => ({ key, tag })));
  const spoken = clips.filter(({ transcript }) => transcript !== undefined);
  await server.db`
    insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms)
    select c.key, c.device_id, t.key, c.start_ms, moment.offset_ms
    from unnest(${tagged.map(({ key }) => key)}::bigint[], ${tagged.map(({ tag }) => tag)}::text[]) n (clip_id, tag_name)
    join audio_clips c on c.key = n.clip_id join tags t on t.tag_name = n.tag_name
    cross join (values (0), (7)) moment (offset_ms)`;
  await server.db`
    insert into captions (audio_clip_id, device_id, transcript)
    select c.key, c.device_id, n.transcript
    from unnest(${spoken.map(({ key }) => key)}::bigint[], ${spoken.map(({ transcript = '' }) => transcript)}::text[])
      n (clip_id, transcript) join audio_clips c on c.key = n.clip_id`;
  for (const { key, transcript = '' } of spoken) await indexCaption(server.db, { clipID: key, transcript });
  const tags = await server.db<{ key: number; name: string }[]>`select key, tag_name as name from tags`;
  return { client, devices, clips, tagIDs: new Map(tags.map(({ key, name }) => [name, key])) };
}

const keysOf = (clips: readonly { key?: number }[]) => clips.map(({ key }) => key);

async function check({ client, devices, clips, tagIDs }: World, asked: Query): Promise<void> {
  const { startEpoch, endEpoch, count, order, searchText } = asked;
  // From 0 to 0 is no range.
  const isUnbounded = startEpoch === 0 && endEpoch === 0;
  const query = isUnbounded ? { ...asked, startEpoch: undefined, endEpoch: undefined } : asked;
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) return;
  const range = { ...given('startEpoch', startEpoch), ...given('endEpoch', endEpoch) };
  const common = { ...range, ...given('count', count), ...given('order', order) };
  const idOf = (index: number) => devices[index]?.deviceID ?? 0;
  const tags = query.tags?.map((name) => tagIDs.get(name) ?? 987_654_321);
  const typed = { ...common, ...given('audioClipTypeID', query.typeID), ...given('tagList', tags) };
  const plain = { ...query, searchText: undefined };

  const [one] = query.devices ?? [];
  const deviceIDList = given('deviceIDList', query.devices && [...query.devices.map(idOf), 987_654_321]);
  const worded = { ...common, ...deviceIDList, ...given('tagIDList', tags), ...given('searchText', searchText) };
  const deviceSerial = devices[one ?? 0]?.deviceSerial ?? '';
  const [list, all, several, withTags, extracted] = await Promise.all([
    client.listAudioClips({ body: { ...typed, ...given('deviceID', one && idOf(one)) } }),
    client.listAudioClips({ query: { alldevices: true }, body: { ...typed, deviceID: idOf(0) } }),
    client.listAudioClipsOfDevices({ body: { ...common, ...deviceIDList } }),
    client.listAudioClipsWithTags({ body: worded }),
    client.extractAudioClips({ body: { deviceSerial, ...range } }),
  ]);
  const paged = { ...given('deviceIDList', deviceIDList['deviceIDList']), ...range, ...given('order', order) };
  const filters = { ...paged, ...given('audioClipTypeID', query.typeID), ...given('tagIDList', tags) };
  await checkPages(client, { ...filters, count: count || 7 }, expected(clips, { ...plain, count: 1e6 }));
  expect(keysOf(list)).toEqual(expected(clips, { ...plain, devices: one ? [one] : undefined }));
  expect(keysOf(all)).toEqual(expected(clips, { ...plain, devices: undefined }));
  const untyped = { ...plain, typeID: undefined, tags: undefined };
  expect(keysOf(several)).toEqual(expected(clips, untyped));
  expect(keysOf(withTags.audioClipList)).toEqual(expected(clips, { ...query, typeID: undefined }));
  const whole = { ...untyped, devices: [one ?? 0], count: 1e6, order: 'asc' };
  expect(keysOf(extracted)).toEqual(expected(clips, whole));
}

/** All pages forwards, then all pages backwards, are the list. */
async function checkPages(client: Client, filter: object, keys: readonly number[]): Promise<void> {
  let page = await client.listAudioClipPage({ body: filter });
  const there = [keysOf(page.results)];
  expect(page.previous).toBeUndefined();
  while (page.next !== undefined) {
    page = await client.listAudioClipPage({ body: { ...filter, cursor: page.next } });
    there.push(keysOf(page.results));
  }
  expect(there.flat()).toEqual(keys);
  const back = [keysOf(page.results)];
  while (page.previous !== undefined) {
    page = await client.listAudioClipPage({ body: { ...filter, cursor: page.previous } });
    back.unshift(keysOf(page.results));
  }
  expect(back.flat()).toEqual(keys);
}

test('every list equals the model, in its order', async () => {
  const stranger = (await server.addPerson()).session;
  await server.db`insert into tags (tag_name) select unnest(array['dog', 'rain', 'owl'])`;
  await announceAll(stranger, await addDevice(stranger), [{ startTime: 1, clipLengthInSeconds: 20 }, { startTime: 5 }]);
  const property = fc.asyncProperty(
    worlds,
    fc.array(queries, { minLength: 25, maxLength: 25 }),
    async (model, asked) => {
      const world = await createWorld(model);
      for (const query of asked) await check(world, query);
    },
  );
  await fc.assert(property, { seed, numRuns, endOnFailure: true });
});

test('a clip is in exactly the ranges that it overlaps, to the millisecond', async () => {
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
