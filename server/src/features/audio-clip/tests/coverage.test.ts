import type { Client } from '@earshot/client/client';
import type { CoverageFilter, Span } from '@earshot/contract/audio-clip-coverage';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import * as fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Device } from '../../event/tests/fleet.ts';
import { addDevice, refusedWith } from '../../event/tests/fleet.ts';
import { addFile, announce, announceAll } from './recordings.ts';

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

const ask = (body: Omit<CoverageFilter, 'deviceID'>) =>
  client.getCoverage({ body: { deviceID: device.deviceID, ...body } });
const pairs = (spans: readonly Span[]) =>
  spans.map(({ startTime, startTimeMs, endTime, endTimeMs }) => [
    startTime * 1000 + startTimeMs,
    endTime * 1000 + endTimeMs,
  ]);

test('shows recorded, available and missing spans', async () => {
  const file = await addFile(client, { device });
  await announceAll(client, device, [
    { startTime: 90, clipLengthInSeconds: 20 },
    { startTime: 110, clipLengthInSeconds: 10, fileID: file.key, audioClipStatus: 3 },
    { startTime: 130, startTimeMs: 500, clipLengthInSeconds: 10 },
    { startTime: 135, clipLengthInSeconds: 5, fileID: file.key, audioClipStatus: 3 },
    { startTime: 150, clipLengthInSeconds: 0 },
    { startTime: 151 },
    { startTime: 195, clipLengthInSeconds: 100 },
    { startTime: 200, clipLengthInSeconds: 1 },
  ]);
  const answer = await ask({ startEpoch: 100, endEpoch: 200 });
  expect(answer).toMatchObject({ deviceID: device.deviceID, startEpoch: 100, endEpoch: 200, clipCount: 7 });
  expect(answer).toMatchObject({ recordedSeconds: 35, availableSeconds: 15, missingSeconds: 65 });
  expect(pairs(answer.recorded)).toEqual([
    [100_000, 120_000],
    [130_500, 140_500],
    [195_000, 200_000],
  ]);
  expect(pairs(answer.available)).toEqual([
    [110_000, 120_000],
    [135_000, 140_000],
  ]);
  expect(pairs(answer.gaps)).toEqual([
    [120_000, 130_500],
    [140_500, 195_000],
  ]);
});

test('a gap of the shortest length is listed, a shorter one is not', async () => {
  await announceAll(client, device, [
    { startTime: 0, clipLengthInSeconds: 10 },
    { startTime: 11, endTime: 20, endTimeMs: 1 },
    { startTime: 21, clipLengthInSeconds: 9 },
  ]);
  const answer = await ask({ startEpoch: 0, endEpoch: 30 });
  expect(pairs(answer.gaps)).toEqual([[10_000, 11_000]]);
  expect(pairs(answer.recorded)).toEqual([
    [0, 10_000],
    [11_000, 30_000],
  ]);
  expect(answer).toMatchObject({ recordedSeconds: 28.001, missingSeconds: 1.999 });
});

test('a device is named by key or serial, and types are separate', async () => {
  await announceAll(client, device, [
    { startTime: 0, clipLengthInSeconds: 5 },
    { startTime: 0, clipLengthInSeconds: 9, audioClipTypeID: 1 },
  ]);
  const range = { startEpoch: 0, endEpoch: 10 };
  const { deviceSerial } = device;
  expect(await client.getCoverage({ body: { deviceSerial, ...range } })).toMatchObject({
    recordedSeconds: 9,
    clipCount: 2,
  });
  expect(await ask({ ...range, audioClipTypeID: 0 })).toMatchObject({ recordedSeconds: 5, clipCount: 1 });
  expect(await ask({ ...range, audioClipTypeID: 7 })).toMatchObject({
    recordedSeconds: 0,
    clipCount: 0,
    missingSeconds: 10,
  });
  await expect(client.getCoverage({ body: range })).rejects.toEqual(refusedWith(400));
});

test('without clips nothing is covered', async () => {
  expect(await ask({ startEpoch: 5, endEpoch: 15 })).toEqual({
    deviceID: device.deviceID,
    startEpoch: 5,
    endEpoch: 15,
    clipCount: 0,
    recordedSeconds: 0,
    availableSeconds: 0,
    missingSeconds: 10,
    recorded: [],
    available: [],
    gaps: [{ startTime: 5, startTimeMs: 0, endTime: 15, endTimeMs: 0 }],
  });
  await announce(client, device, { startTime: 0, clipLengthInSeconds: 20 });
  expect(await ask({ startEpoch: 5, endEpoch: 5 })).toMatchObject({ clipCount: 0, missingSeconds: 0, gaps: [] });
});

test('more than a year, or too many spans, is refused', async () => {
  await expect(ask({ startEpoch: 0, endEpoch: 366 * 86_400 + 1 })).rejects.toEqual(refusedWith(400));
  expect(await ask({ startEpoch: 0, endEpoch: 366 * 86_400 })).toMatchObject({ clipCount: 0 });
  await server.db`
    insert into audio_clips (device_id, start_ms, end_ms)
    select ${device.deviceID}, n * 5000, n * 5000 + 1000 from generate_series(0, 10000) n`;
  await server.db`update device_states set longest_clip_ms = 1000 where device_id = ${device.deviceID}`;
  const range = { startEpoch: 0, endEpoch: 50_001 };
  await expect(ask(range)).rejects.toEqual(refusedWith(400, /ignore longer gaps/));
  const passed = await ask({ ...range, shortestGapSeconds: 5 });
  expect(passed).toMatchObject({ clipCount: 10_001, recordedSeconds: 10_001, missingSeconds: 40_000, gaps: [] });
  expect(pairs(passed.recorded)).toEqual([[0, 50_001_000]]);
});

/** A reference implementation that counts every millisecond. */
function model(
  clips: readonly { startMs: number; endMs: number | null; isAvailable: boolean }[],
  [from, to]: readonly [number, number],
  gapMs: number,
) {
  const spansOf = (some: typeof clips) => {
    const isCovered = Array.from({ length: to - from }, (_, at) =>
      some.some(({ startMs, endMs }) => startMs <= from + at && from + at < (endMs ?? startMs)),
    );
    const exact = isCovered.filter(Boolean).length;
    const spans: [number, number][] = [];
    for (const [at, covered] of isCovered.entries()) {
      const last = spans.at(-1);
      if (!covered) continue;
      if (last && (last[1] === from + at || from + at - last[1] < gapMs)) last[1] = from + at + 1;
      else spans.push([from + at, from + at + 1]);
    }
    return { exact, spans };
  };
  const recorded = spansOf(clips);
  const bounds = [from, ...recorded.spans.flat(), to];
  const gaps: number[][] = [];
  for (let at = 0; at < bounds.length; at += 2) gaps.push(bounds.slice(at, at + 2));
  return {
    recorded,
    available: spansOf(clips.filter(({ isAvailable }) => isAvailable)),
    gaps: gaps.filter(([a = 0, b = 0]) => b > a && b - a >= gapMs),
  };
}

test('for random clips the result equals a count of every millisecond', async () => {
  const clip = fc.record({
    startMs: fc.oneof(fc.integer({ min: 0, max: 9_000 }), fc.constantFrom(1000, 2000, 3000, 4999, 5000)),
    lengthMs: fc.oneof(fc.integer({ min: 1, max: 3_000 }), fc.constantFrom(1, 999, 1000, 0, null)),
    isAvailable: fc.boolean(),
  });
  const clips = fc.uniqueArray(clip, { maxLength: 12, selector: ({ startMs }) => startMs });
  const property = fc.asyncProperty(
    clips,
    fc.integer({ min: 0, max: 4 }),
    fc.constantFrom(undefined, 0, 1, 2),
    async (given, start, gap) => {
      device = await addDevice(client);
      const rows = given.map(({ startMs, lengthMs, isAvailable }) => ({
        startMs,
        endMs: lengthMs === null ? null : startMs + lengthMs,
        isAvailable,
      }));
      const file = await addFile(client, { device });
      for (const { startMs, endMs, isAvailable } of rows) {
        await server.db`
        insert into audio_clips (device_id, start_ms, end_ms, audio_clip_status, file_id)
        values (${device.deviceID}, ${startMs}, ${endMs}, ${isAvailable ? 3 : 0}, ${isAvailable ? file.key : null})`;
      }
      await server.db`update device_states set longest_clip_ms = 3000 where device_id = ${device.deviceID}`;
      const answer = await ask({
        startEpoch: start,
        endEpoch: start + 5,
        ...(gap === undefined ? {} : { shortestGapSeconds: gap }),
      });
      const wanted = model(rows, [start * 1000, start * 1000 + 5000], (gap ?? 1) * 1000);
      expect(pairs(answer.recorded)).toEqual(wanted.recorded.spans);
      expect(pairs(answer.available)).toEqual(wanted.available.spans);
      expect(pairs(answer.gaps)).toEqual(wanted.gaps);
      expect(answer.recordedSeconds).toBeCloseTo(wanted.recorded.exact / 1000, 6);
      expect(answer.availableSeconds).toBeCloseTo(wanted.available.exact / 1000, 6);
      expect(answer.missingSeconds).toBeCloseTo(5 - wanted.recorded.exact / 1000, 6);
    },
  );
  await fc.assert(property, { seed: 20_261_115, numRuns: 30, endOnFailure: true });
});
