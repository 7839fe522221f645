import type { Client } from '@earshot/client/client';
import type { AudioClipPage, AudioClipPageFilter } from '@earshot/contract/audio-clip-page';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import type { KeyedClip } from './recordings.ts';
import { announce, announceAll } from './recordings.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

const second = 1_794_704_400;
const newClient = async (): Promise<Client> => (await (await server.addPerson()).withKey()).client;
const keysOf = (page: AudioClipPage): number[] => page.results.map(({ key = 0 }) => key);

/** Clips of many devices that all start in the same millisecond. */
async function recordAtOnce(client: Client, deviceCount: number): Promise<{ devices: Device[]; keys: number[] }> {
  const devices: Device[] = [];
  const keys: number[] = [];
  for (let first = 0; first < deviceCount; first += 20) {
    const some = Array.from({ length: Math.min(20, deviceCount - first) }, async () => {
      const device = await addDevice(client);
      const clip = await announce(client, device, { startTime: second, startTimeMs: 250 });
      devices.push(device);
      keys.push(clip.key);
    });
    await Promise.all(some);
  }
  return { devices, keys };
}

/** Follows `next` or `previous` to the end, and calls a function after each page. */
async function walk(
  client: Client,
  filter: AudioClipPageFilter,
  way: 'next' | 'previous',
  after: () => Promise<unknown> = async () => {},
): Promise<{ pages: number[][]; last: AudioClipPage }> {
  const pages: number[][] = [];
  let page = await client.listAudioClipPage({ body: filter });
  for (;;) {
    pages.push(keysOf(page));
    await after();
    const cursor = page[way];
    if (cursor === undefined) return { pages, last: page };
    page = await client.listAudioClipPage({ body: { ...filter, cursor } });
  }
}

const rising = (keys: readonly number[]) => keys.toSorted((a, b) => a - b);
const among = (pages: readonly number[][], keys: readonly number[]) => {
  const wanted = new Set(keys);
  return pages.flat().filter((key) => wanted.has(key));
};

describe('1,000 clips with the same start', () => {
  let client: Client;
  let keys: number[];
  let devices: Device[];
  beforeAll(async () => {
    client = await newClient();
    ({ devices, keys } = await recordAtOnce(client, 1_000));
  });

  /** One clip before, one after and two at the same millisecond, of a new device and of a type of its own. */
  let added = 0;
  const addOthers = async () => {
    added += 1;
    const device = devices[added] ?? devices[0]!;
    await announce(client, device, { startTime: second - 5, startTimeMs: added });
    await announce(client, device, { startTime: second + 5, startTimeMs: added });
    await announce(client, device, { startTime: second, startTimeMs: 250, audioClipTypeID: 7 });
    await announce(client, await addDevice(client), { startTime: second, startTimeMs: 250 });
  };

  test.each(['asc', 'desc'])(
    '%s: forwards and backwards, each clip is listed exactly once while others are added',
    async (order) => {
      const filter = { order, count: 70 };
      const sorted = order === 'asc' ? rising(keys) : rising(keys).toReversed();
      const there = await walk(client, filter, 'next', addOthers);
      expect(among(there.pages, keys)).toEqual(sorted);
      expect(new Set(there.pages.flat()).size).toBe(there.pages.flat().length);
      expect(there.pages.slice(0, -1).every((page) => page.length === 70)).toBe(true);

      const end = there.last.previous;
      expect(end).toBeDefined();
      const back = await walk(client, { ...filter, cursor: end ?? '' }, 'previous', addOthers);
      const seen = [...back.pages.toReversed(), keysOf(there.last)];
      expect(among(seen, keys)).toEqual(sorted);
      expect(new Set(seen.flat()).size).toBe(seen.flat().length);
    },
  );

  test('going to the next page and back returns the same page', async () => {
    const filter = { count: 100, endEpoch: second + 1, startEpoch: second, audioClipTypeID: 0 };
    const first = await client.listAudioClipPage({ body: filter });
    const next = await client.listAudioClipPage({ body: { ...filter, cursor: first.next ?? '' } });
    const again = await client.listAudioClipPage({ body: { ...filter, cursor: next.previous ?? '' } });
    expect(again).toEqual({ ...first, next: again.next, reachedEpoch: again.reachedEpoch });
    const onward = await client.listAudioClipPage({ body: { ...filter, cursor: again.next ?? '' } });
    expect(keysOf(onward)).toEqual(keysOf(next));
  });

  test('a member sees only their own clips, with any cursor', async () => {
    const member = await newClient();
    const device = await addDevice(member);
    const own = await announce(member, device, { startTime: second, startTimeMs: 250 });
    const { next = '' } = await client.listAudioClipPage({ body: { count: 5, order: 'asc' } });
    expect(keysOf(await member.listAudioClipPage({ body: { order: 'asc', cursor: next } }))).toEqual([own.key]);
    const named = { deviceIDList: [device.deviceID, devices[0]?.deviceID ?? 0] };
    expect(keysOf(await member.listAudioClipPage({ body: named }))).toEqual([own.key]);
    expect(await member.listAudioClipPage({ body: { deviceIDList: [devices[0]?.deviceID ?? 0] } })).toEqual({
      results: [],
    });
  });
});

describe('of one device', () => {
  let client: Client;
  let device: Device;
  let clips: KeyedClip[];
  beforeAll(async () => {
    client = await newClient();
    device = await addDevice(client);
    const times = Array.from({ length: 30 }, (_, at) => ({ startTime: second + at, clipLengthInSeconds: 1 }));
    clips = (await announceAll(client, device, times)) as KeyedClip[];
  });
  const newest = () => clips.map(({ key }) => key).toReversed();

  test('a page shows the same as the list, and whether there is a caption', async () => {
    const listed = await client.listAudioClips({ body: { deviceID: device.deviceID, count: 3 } });
    const page = await client.listAudioClipPage({
      body: { deviceIDList: [device.deviceID], count: 3, withTags: true },
    });
    expect(page.results).toEqual(listed.map((clip) => ({ ...clip, mayWrite: true })));
    expect(page.audioClipTagList).toEqual([]);
    const key = listed[0]?.key ?? 0;
    await server.db`
      insert into captions (audio_clip_id, device_id, transcript) values (${key}, ${device.deviceID}, 'hello')`;
    await client.createAudioClipTag({ params: { audioClipID: key }, body: { tagName: 'dog' } });
    const again = await client.listAudioClipPage({ body: { count: 1, withTags: true } });
    expect(again.results[0]).toMatchObject({ key, captionID: key, tagList: [{ tagName: 'dog' }] });
    expect(again.audioClipTagList).toMatchObject([{ audioClipID: key, tagName: 'dog', timestamp: second + 29 }]);
  });

  test('the filters are those of the request: the cursor contains only the position', async () => {
    const { next = '' } = await client.listAudioClipPage({ body: { count: 10 } });
    const narrowed = { startEpoch: second + 5, endEpoch: second + 15, cursor: next };
    expect(keysOf(await client.listAudioClipPage({ body: narrowed }))).toEqual(newest().slice(15, 25));
    expect(keysOf(await client.listAudioClipPage({ body: { audioClipTypeID: 9, cursor: next } }))).toEqual([]);
    const turned = await client.listAudioClipPage({ body: { order: 'asc', cursor: next } });
    expect(keysOf(turned)).toEqual(newest().slice(0, 9).toReversed());
  });

  test('a cursor at the end leads back to the previous page', async () => {
    const { next = '' } = await client.listAudioClipPage({ body: { count: 29 } });
    const last = await client.listAudioClipPage({ body: { cursor: next } });
    expect(keysOf(last)).toEqual(newest().slice(29));
    expect(last.next).toBeUndefined();
    await client.deleteAudioClip({ params: { audioClipID: last.results[0]?.key ?? 0 } });
    const empty = await client.listAudioClipPage({ body: { cursor: next } });
    expect(empty).toEqual({ results: [], previous: expect.any(String) as string });
    const back = await client.listAudioClipPage({ body: { count: 5, cursor: empty.previous ?? '' } });
    expect(keysOf(back)).toEqual(newest().slice(24, 29));
  });

  test('a rare status is found, with a limited number of clips read per page', async () => {
    const owner = await newClient();
    const busy = await addDevice(owner);
    const times = Array.from({ length: 1_000 }, (_, at) => ({ startTime: second + at }));
    for (let day = 0; day < 3; day += 1) {
      await announceAll(
        owner,
        busy,
        times.map(({ startTime }) => ({ startTime: startTime + day * 86_400 })),
      );
    }
    const rare = await announce(owner, busy, { startTime: second - 10, audioClipStatus: 2 });
    const rarer = await announce(owner, busy, { startTime: second + 86_400 + 5, startTimeMs: 1, audioClipStatus: 2 });
    const filter = { audioClipStatus: 2, count: 10 };
    const first = await owner.listAudioClipPage({ body: filter });
    expect(first).toEqual({ results: [], next: expect.any(String) as string, reachedEpoch: second + 2 * 86_400 });
    const { pages, last } = await walk(owner, filter, 'next');
    expect(pages.flat()).toEqual([rarer.key, rare.key]);
    expect(last.reachedEpoch).toBe(second - 10);
    const back = await walk(owner, { ...filter, cursor: last.previous ?? '' }, 'previous');
    expect(back.pages.toReversed().flat()).toEqual([rarer.key]);
  });
});

test('an invalid cursor is refused with the name of the field', async () => {
  const client = await newClient();
  const encoded = (text: string) => Buffer.from(text).toString('base64url');
  for (const cursor of [
    '',
    'x',
    'next',
    '*'.repeat(50),
    encoded('1 a 5'),
    encoded('1 c 5 5'),
    encoded('2 a 5 5'),
    encoded('1 a -5 5'),
    encoded('1 a 5 5 '),
    encoded('1 a 05 5'),
    encoded('1 a 9999999999999999 5'),
    encoded('1 a 5 9999999999999999'),
    `${encoded('1 a 5 5')}=`,
    `${encoded('1 a 5 5')} `,
    'a'.repeat(201),
  ]) {
    await expect(client.listAudioClipPage({ body: { cursor } }), JSON.stringify(cursor)).rejects.toEqual(
      refusedWith(400, /cursor/),
    );
  }
  const farthest = encoded(`1 a ${Number.MAX_SAFE_INTEGER} ${Number.MAX_SAFE_INTEGER}`);
  for (const order of ['asc', 'desc']) {
    expect((await client.listAudioClipPage({ body: { order, cursor: farthest } })).results).toEqual([]);
  }
});

test('a device may be called "page"', async () => {
  const client = await newClient();
  const device = await client.createDevice({ body: { deviceSerial: 'page' } });
  const clip = await client.announceAudioClip({ params: { audioClipID: 'page' }, body: { startTime: second } });
  expect(clip.deviceID).toBe(device.key);
});
