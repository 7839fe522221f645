import type { AudioClipPageFilter } from '@earshot/contract/audio-clip-page';
import { insertClips } from '@earshot/server/features/audio-clip/announce/insert-queries';
import { findClipsAt } from '@earshot/server/features/audio-clip/announce/queries';
import { readCoverage } from '@earshot/server/features/audio-clip/list/coverage';
import { readHistogram } from '@earshot/server/features/audio-clip/list/histogram';
import { extractClips, findClips, findClipsOfDevices } from '@earshot/server/features/audio-clip/list/lists';
import { findClipPage } from '@earshot/server/features/audio-clip/list/page';
import { expireFiles, findRetention, removeOldClips } from '@earshot/server/features/audio-clip/retention/queries';
import { findClipsWithTags } from '@earshot/server/features/audio-clip/list/with-tags';
import { findTag, findTags } from '@earshot/server/features/audio-clip/tag/queries';
import { sweepTags } from '@earshot/server/features/audio-clip/tag/sweep';
import { findClipsNear } from '@earshot/server/features/audio-clip/recording/near-queries';
import { findKnownRecordings } from '@earshot/server/features/upload/known-queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import type { Caller } from '@earshot/server/platform/http/caller';
import { writeCursor } from '@earshot/server/platform/page-cursor';
import type { TestDatabase } from '@earshot/server/testing/database';
import { createTestDatabase } from '@earshot/server/testing/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addFleet, clipsPerDevice, deviceCount, epoch, newestMs, silence } from './plan-fleet.ts';
import type { Sent } from './plans.ts';
import { explain, faultsOf, openCapturing, rowsRead } from './plans.ts';

/*
 * The query plans of every list, on a database of 200 devices with 1,000 clips each: along an index from the requested
 * end, and no further than needed. The statements are explained exactly as the driver sends them.
 */

let database: TestDatabase;
let db: Pool;
let capturing: ReturnType<typeof openCapturing>;
let admin: Caller;
let owner: Caller;
let reader: Caller;
let devices: readonly number[];

beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { connections: 1, name: 'plans' });
  capturing = openCapturing(database.url);
  ({ admin, owner, reader, devices } = await addFleet(db));
});
afterAll(async () => {
  await capturing.db.end({ timeout: 1 });
  await db.end({ timeout: 1 });
  await database.drop();
});

type Work = (pool: Pool, caller: Caller) => Promise<unknown>;

/** The statements that the work sends, without those that only check rights. */
async function statementsOf(work: Work, caller: Caller): Promise<readonly Sent[]> {
  capturing.sent.length = 0;
  await work(capturing.db, caller);
  return capturing.sent.filter(({ text }) =>
    /\b(audio_clips|audio_clip_tags|captions|caption_search|clip_recordings)\b/.test(text),
  );
}

async function check(work: Work, caller: Caller, mostRows: number): Promise<void> {
  const statements = await statementsOf(work, caller);
  expect(statements).not.toEqual([]);
  for (const statement of statements) {
    for (const mode of ['custom', 'generic'] as const) {
      const { plan, lines } = await explain(db, statement, mode);
      expect(faultsOf(plan, mostRows), `${mode} plan of ${statement.text}\n${lines}`).toEqual([]);
    }
  }
}

const count = 100;
const some = (): number[] => devices.filter((_key, index) => index % 10 === 0);
const one = (): number => devices[7] ?? 0;
/** In the middle of the clips of one minute, which all devices have. */
const placeAt = (minutesBefore: number, isBack = false) =>
  writeCursor({ isBack, time: epoch(minutesBefore) * 1000, key: (deviceCount * clipsPerDevice) / 2 });
/** A page reads one clip more than it shows. */
const page =
  (filter: AudioClipPageFilter): Work =>
  (pool, caller) =>
    findClipPage(pool, caller, { count: count - 1, cursor: placeAt(500), ...filter });
const people: [string, () => Caller][] = [
  ['an admin', () => admin],
  ['an owner', () => owner],
  ['a reader', () => reader],
];

describe.each(people)('for %s', (_who, who) => {
  const lists: [string, number, Work][] = [
    ['all devices', deviceCount, (pool, caller) => findClips(pool, caller, { count }, true)],
    [
      'all devices, oldest first',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, order: 'asc' }, false),
    ],
    [
      'all devices from a time on',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, order: 'asc', startEpoch: epoch(500) }, true),
    ],
    [
      'all devices in a range',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, startEpoch: epoch(500), endEpoch: epoch(490) }, true),
    ],
    [
      'all devices in an empty range',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, startEpoch: 5, endEpoch: 9 }, true),
    ],
    [
      'a type',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, audioClipTypeID: 1, endEpoch: epoch(100) }, true),
    ],
    [
      'a type without clips',
      deviceCount,
      (pool, caller) => findClips(pool, caller, { count, audioClipTypeID: 9 }, true),
    ],
    ['tags', deviceCount * 3, (pool, caller) => findClips(pool, caller, { count, tagList: [3, 4, 999] }, true)],
    [
      'tags in a range, oldest first',
      deviceCount * 2,
      (pool, caller) => findClips(pool, caller, { count, order: 'asc', tagList: [3, 4], startEpoch: epoch(500) }, true),
    ],
    ['several devices', 20, (pool, caller) => findClipsOfDevices(pool, caller, { count, deviceIDList: some() })],
    [
      'several devices from a time on',
      20,
      (pool, caller) =>
        findClipsOfDevices(pool, caller, { count, order: 'asc', deviceIDList: some(), startEpoch: epoch(500) }),
    ],
    ['a page', deviceCount, page({})],
    ['a page back', deviceCount, page({ cursor: placeAt(500, true) })],
    ['a page of a range, oldest first', deviceCount, page({ order: 'asc', startEpoch: epoch(900), withTags: true })],
    ['a page of a type', deviceCount, page({ audioClipTypeID: 1 })],
    ['a page of tags', deviceCount * 2, page({ tagIDList: [3, 4] })],
    ['a page of a status without clips', deviceCount, page({ audioClipStatus: 4 })],
    ['a page of a title that no clip has', deviceCount, page({ title: 'nightjar' })],
    ['several devices, a page', 20, (pool, caller) => page({ deviceIDList: some() })(pool, caller)],
    ['a page with speech', deviceCount, page({ withSpeech: true })],
    ['a histogram', deviceCount, (pool, caller) => readHistogram(pool, caller, {})],
    ['a histogram of a status', deviceCount, (pool, caller) => readHistogram(pool, caller, { audioClipStatus: 3 })],
    ['a histogram of tags', deviceCount, (pool, caller) => readHistogram(pool, caller, { tagIDList: [3, 4] })],
    ['clips with tags and words', deviceCount, (pool, caller) => findClipsWithTags(pool, caller, { count }, undefined)],
    [
      'clips with some tags, of the last minutes',
      deviceCount * 2,
      (pool, caller) => findClipsWithTags(pool, caller, { count, tagIDList: [3, 4], endEpoch: epoch(0) }, 60),
    ],
  ];
  test.each(lists)('%s', (_name, deviceTimes, work) => check(work, who(), count * deviceTimes));

  // The list is read along the index of clips; the captions are checked row by row.
  test('clips with words in a range', async () => {
    const work: Work = (pool, caller) =>
      findClipsWithTags(pool, caller, { count, searchText: 'north', startEpoch: epoch(60) }, undefined);
    await check(work, who(), count * deviceCount);
  });

  test('all tags', () => check((pool, caller) => findTags(pool, caller), who(), deviceCount * 50));
  test('a tag by its key', () => check((pool, caller) => findTag(pool, caller, 5), who(), deviceCount));
});

describe('of a device', () => {
  const range = { startEpoch: epoch(400), endEpoch: epoch(100) };
  const days = 1;
  const works: [string, number, Work][] = [
    ['the newest', count, (pool, caller) => findClips(pool, caller, { count, deviceID: one() }, false)],
    [
      'the oldest of a range',
      count,
      (pool, caller) => findClips(pool, caller, { count, order: 'asc', deviceID: one(), ...range }, false),
    ],
    ['a type', count, (pool, caller) => findClips(pool, caller, { count, deviceID: one(), audioClipTypeID: 1 }, false)],
    ['tags', count, (pool, caller) => findClips(pool, caller, { count, deviceID: one(), tagList: [3, 4] }, false)],
    ['a page', count, (pool, caller) => page({ deviceIDList: [one()] })(pool, caller)],
    [
      'a page of a status without clips',
      clipsPerDevice,
      (pool, caller) => page({ deviceIDList: [one()], audioClipStatus: 4 })(pool, caller),
    ],
    ['a page of a title', clipsPerDevice, (pool, caller) => page({ deviceIDList: [one()], title: '9' })(pool, caller)],
    ['the clips near a start', count, (pool) => findClipsNear(pool, one(), epoch(500) * 1000, 1000)],
    [
      'a thousand known recordings',
      10 * clipsPerDevice,
      (pool, caller) =>
        findKnownRecordings(
          pool,
          caller,
          Array.from({ length: clipsPerDevice }, (_, index) => ({
            deviceID: index % 2 === 0 ? one() : null,
            deviceSerial: 'd-8',
            startMs: epoch(index) * 1000,
            sha256: silence,
          })),
        ),
    ],
    [
      'tags and a type',
      count,
      (pool, caller) => findClips(pool, caller, { count, deviceID: one(), tagList: [3, 4], audioClipTypeID: 1 }, false),
    ],
    [
      'all of a range',
      clipsPerDevice,
      async (pool, caller) => {
        const pages = extractClips(pool, caller, { deviceSerial: 'd-8', ...range });
        while (!(await pages.next()).done);
      },
    ],
    ['coverage', 1, (pool, caller) => readCoverage(pool, caller, { deviceID: one(), ...range })],
    [
      'coverage of a type',
      1,
      (pool, caller) => readCoverage(pool, caller, { deviceID: one(), audioClipTypeID: 1, ...range }),
    ],
    [
      'what retention would remove',
      clipsPerDevice,
      (pool, caller) => findRetention(pool, caller, one(), days, clipsPerDevice),
    ],
  ];
  test.each(works)('%s', (_name, mostRows, work) => check(work, owner, mostRows));
});

describe('writes', () => {
  const places = Array.from({ length: 50 }, (_, index) => ({ typeID: 0, startMs: newestMs + index, talkgroup: 0 }));
  const empty = { endMs: null, status: 0, fileID: null, fileSize: null, bitrate: null, tagListID: null };
  const clips = places.map((place) => ({ ...place, ...empty, parameters: null, localFilePath: null }));

  test.each<[string, number, Work]>([
    ['new clips', 50, (pool, caller) => insertClips(pool, caller, { deviceSerial: 'd-8' }, clips)],
    ['existing clips', 50, (pool, caller) => findClipsAt(pool, caller, { deviceSerial: 'd-8' }, places)],
    ['files that are too old', deviceCount * 20, (pool) => expireFiles(pool, 20)],
    ['clips that are too old', deviceCount * 20, (pool) => removeOldClips(pool, 20)],
    ['tags that no clip has', deviceCount * 20, (pool) => sweepTags(pool, 0)],
  ])('%s', (_name, mostRows, work) => check(work, owner, mostRows));
});

test('the thousandth page reads as many rows as the first one, of all devices or of one', async () => {
  const rowsOf = async (work: Work) => {
    let rows = 0;
    for (const statement of await statementsOf(work, admin)) {
      rows += rowsRead((await explain(db, statement, 'custom')).plan);
    }
    return rows;
  };
  for (const filter of [{}, { deviceIDList: [one()] }, { audioClipTypeID: 0 }, { order: 'asc' }]) {
    const first = await rowsOf((pool, caller) => findClipPage(pool, caller, { count: 99, ...filter }));
    expect(await rowsOf(page(filter))).toBeLessThan(first + 2 * deviceCount + count);
    expect(first).toBeLessThan(10 * count + 4 * deviceCount);
  }
});

test('a plan that reads or sorts too much is detected', async () => {
  const statement = (text: string): Sent => ({ text, parameters: [] });
  const faults = async (text: string) => faultsOf((await explain(db, statement(text), 'custom')).plan, 100);
  expect(await faults('select count(*) from audio_clips where bitrate = 5')).toEqual(
    expect.arrayContaining([expect.stringMatching(/sequential scan|thrown away/)]),
  );
  expect(await faults(`select * from audio_clips where device_id = ${one()} order by creation_date, end_ms`)).toEqual(
    expect.arrayContaining([expect.stringMatching(/a sort of \d{4} rows/)]),
  );
});
