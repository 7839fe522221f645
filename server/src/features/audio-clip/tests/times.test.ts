import type { Client } from '@earshot/client/client';
import type { AnnouncedClip, AudioClipUpdate } from '@earshot/contract/audio-clip';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice } from '../../event/tests/fleet.ts';
import { announce, announceAll, readClip } from './recordings.ts';

let server: SharedServer;
let client: Client;
let device: Device;
beforeAll(async () => {
  server = await sharedTestServer();
  client = (await server.admin.withKey()).client;
});
beforeEach(async () => {
  device = await addDevice(client);
});

const day = 86_400;
const lastSecond = 253_402_300_799;

/** Start, end and length as a clip shows them. */
const shown = ({ startTime, startTimeMs, endTime, endTimeMs, clipLengthInSeconds }: AnnouncedClip) => [
  startTime,
  startTimeMs,
  endTime,
  endTimeMs,
  clipLengthInSeconds,
];

describe('an announced clip', () => {
  test.each<[string, AnnouncedClip, unknown[]]>([
    ['with a length ends after it', { startTime: 100, clipLengthInSeconds: 60 }, [100, 0, 160, 0, 60]],
    ['keeps its milliseconds', { startTime: 100, startTimeMs: 7, clipLengthInSeconds: 2 }, [100, 7, 102, 7, 2]],
    ['with an end has a length', { startTime: 100, endTime: 103, endTimeMs: 250 }, [100, 0, 103, 250, 3]],
    ['rounds half a second up', { startTime: 100, endTime: 101, endTimeMs: 500 }, [100, 0, 101, 500, 2]],
    [
      'rounds less than half down',
      { startTime: 100, startTimeMs: 1, endTime: 101, endTimeMs: 500 },
      [100, 1, 101, 500, 1],
    ],
    ['may end where it begins', { startTime: 100, endTime: 100 }, [100, 0, 100, 0, 0]],
    ['may have no length', { startTime: 100, endTimeMs: 5 }, [100, 0, undefined, undefined, undefined]],
    [
      'may have a null length',
      { startTime: 100, endTime: null, clipLengthInSeconds: null },
      [100, 0, undefined, undefined, undefined],
    ],
    [
      'uses the end when both are given',
      { startTime: 100, endTime: 159, endTimeMs: 1, clipLengthInSeconds: 60 },
      [100, 0, 159, 1, 59],
    ],
    [
      'allows a difference of a second',
      { startTime: 100, endTime: 161, clipLengthInSeconds: 60 },
      [100, 0, 161, 0, 61],
    ],
    [
      'uses the end when the length is null',
      { startTime: 100, endTime: 101, clipLengthInSeconds: null },
      [100, 0, 101, 0, 1],
    ],
    [
      'uses the length when the end is null',
      { startTime: 100, endTime: null, clipLengthInSeconds: 1 },
      [100, 0, 101, 0, 1],
    ],
    ['may be a day long', { startTime: 100, clipLengthInSeconds: day }, [100, 0, 100 + day, 0, day]],
    [
      'may end at the latest time',
      { startTime: lastSecond, startTimeMs: 999 },
      [lastSecond, 999, undefined, undefined, undefined],
    ],
    ['may begin at epoch 0', { startTime: 0, clipLengthInSeconds: 1 }, [0, 0, 1, 0, 1]],
  ])('%s', async (_title, body, expected) => {
    const clip = await announce(client, device, body);
    expect(shown(clip as AnnouncedClip)).toEqual(expected);
    expect(await readClip(client, clip)).toEqual(clip);
  });

  test.each<[string, AnnouncedClip, string]>([
    ['ends before it begins', { startTime: 100, endTime: 99, endTimeMs: 999 }, 'endTime'],
    ['ends before its milliseconds', { startTime: 100, startTimeMs: 1, endTime: 100 }, 'endTime'],
    [
      'contradicts itself',
      { startTime: 100, endTime: 161, endTimeMs: 1, clipLengthInSeconds: 60 },
      'clipLengthInSeconds',
    ],
    [
      'contradicts itself in the other direction',
      { startTime: 100, endTime: 158, endTimeMs: 999, clipLengthInSeconds: 60 },
      'clipLengthInSeconds',
    ],
    ['is longer than a day', { startTime: 100, endTime: 100 + day, endTimeMs: 1 }, 'endTime'],
    ['has a length of more than a day', { startTime: 100, clipLengthInSeconds: day + 1 }, 'clipLengthInSeconds'],
    ['ends after the latest time', { startTime: lastSecond, clipLengthInSeconds: 1 }, 'clipLengthInSeconds'],
  ])('is refused when it %s', async (_title, body, path) => {
    await expect(announce(client, device, body)).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ path }] },
    });
    await expect(announceAll(client, device, [{ startTime: 1 }, body])).rejects.toMatchObject({
      status: 400,
      problem: { errors: [{ path: `[1].${path}` }] },
    });
    expect(await client.listAudioClips({ body: { deviceID: device.deviceID } })).toEqual([]);
  });
});

describe('a clip of 100.250 to 160.750', () => {
  const original = { startTime: 100, startTimeMs: 250, endTime: 160, endTimeMs: 750 };

  test.each<[string, AudioClipUpdate, unknown[]]>([
    ['keeps its length when its start moves', { startTime: 90 }, [90, 250, 150, 750, 61]],
    ['keeps its length when its milliseconds move', { startTimeMs: 0 }, [100, 0, 160, 500, 61]],
    ['clears the milliseconds of its start', { startTimeMs: null }, [100, 0, 160, 500, 61]],
    ['gets another end, and keeps missing parts', { endTime: 170 }, [100, 250, 170, 750, 71]],
    ['gets other milliseconds of its end', { endTimeMs: 0 }, [100, 250, 160, 0, 60]],
    ['clears the milliseconds of its end', { endTimeMs: null }, [100, 250, 160, 0, 60]],
    ['gets another length', { clipLengthInSeconds: 10 }, [100, 250, 110, 250, 10]],
    ['gets another start and length', { startTime: 10, clipLengthInSeconds: 10 }, [10, 250, 20, 250, 10]],
    ['gets another start and end', { startTime: 10, endTime: 20, endTimeMs: 0 }, [10, 250, 20, 0, 10]],
    ['loses its end', { endTime: null }, [100, 250, undefined, undefined, undefined]],
    ['loses its end with its length', { clipLengthInSeconds: null }, [100, 250, undefined, undefined, undefined]],
    ['is not changed by its own record', { ...original, clipLengthInSeconds: 61 }, [100, 250, 160, 750, 61]],
  ])('%s', async (_title, body, expected) => {
    const { key } = await announce(client, device, original);
    await client.updateAudioClip({ params: { audioClipID: key }, body });
    expect(shown((await readClip(client, { key })) as AnnouncedClip)).toEqual(expected);
  });

  test.each<[string, AudioClipUpdate, string]>([
    ['ends before it begins', { endTime: 99 }, 'endTime'],
    ['contradicts itself', { startTime: 90, endTime: 160, clipLengthInSeconds: 61 }, 'clipLengthInSeconds'],
    ['ends after the latest time', { startTime: lastSecond }, 'startTime'],
    ['would begin after its end', { startTime: 200, endTime: 160 }, 'endTime'],
  ])('is not changed when it %s', async (_title, body, path) => {
    const clip = await announce(client, device, original);
    const change = client.updateAudioClip({ params: { audioClipID: clip.key }, body });
    await expect(change).rejects.toMatchObject({ status: 400, problem: { errors: [{ path }] } });
    expect(await readClip(client, clip)).toEqual(clip);
  });
});

test('for random times the length is rounded and the end as given', async () => {
  const clips = fc.uniqueArray(
    fc.record({ start: fc.integer({ min: 1_000, max: 9_999_999 }), length: fc.integer({ min: 0, max: 90_000 }) }),
    { minLength: 1, maxLength: 20, selector: ({ start }) => start },
  );
  await fc.assert(
    fc.asyncProperty(clips, async (given) => {
      const own = await addDevice(client);
      const at = (ms: number) => [Math.floor(ms / 1000), ms % 1000];
      const bodies = given.map(({ start, length }) => {
        const [startTime = 0, startTimeMs = 0] = at(start);
        const [endTime = 0, endTimeMs = 0] = at(start + length);
        return { startTime, startTimeMs, endTime, endTimeMs };
      });
      const answered = await announceAll(client, own, bodies);
      expect(answered).toMatchObject(
        bodies.map((body, index) => ({ ...body, clipLengthInSeconds: Math.round((given[index]?.length ?? 0) / 1000) })),
      );
    }),
    { numRuns: 20 },
  );
});
