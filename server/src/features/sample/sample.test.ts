import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampleDevices } from './sentences.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const clipsOf = async (deviceIDList: readonly number[]) =>
  (await server.admin.session.listAudioClipPage({ body: { deviceIDList: [...deviceIDList], count: 1000 } })).results;

test('samples are spoken once, can be played, and go with their devices', async () => {
  const { session } = server.admin;
  expect(await session.getSamples()).toEqual({ deviceIDList: [] });
  // Two requests at once make them once.
  const [first, second] = await Promise.all([session.createSamples(), session.createSamples()]);
  expect(first.deviceIDList).toHaveLength(sampleDevices.length);
  expect(second).toEqual(first);
  expect(await session.getSamples()).toEqual(first);
  const entries = await server.db`select 1 from audit_entries where device_id = any(${first.deviceIDList}::bigint[])`;
  expect(entries).toHaveLength(0);

  const clips = await clipsOf(first.deviceIDList);
  expect(clips).toHaveLength(sampleDevices.flatMap(({ sentences }) => sentences).length);
  for (const { clipLengthInSeconds = 0, startTime = 0, waveformURL } of clips) {
    expect(clipLengthInSeconds).toBeGreaterThan(1);
    expect((startTime + clipLengthInSeconds) * 1_000).toBeLessThan(Date.now());
    expect(waveformURL).toBeDefined();
  }
  const response = await session.getAudioClipContent({ params: { audioClipID: clips[0]?.key ?? 0 } });
  expect(response.headers.get('content-type')).toBe('audio/wav');
  await response.arrayBuffer();

  for (const deviceID of first.deviceIDList) await session.deleteDevice({ params: { deviceID } });
  expect(await session.getSamples()).toEqual({ deviceIDList: [] });
});

test('a device of the same serial that is no sample is not touched', async () => {
  const { session } = server.admin;
  const { key = 0 } = await session.createDevice({ body: { deviceSerial: sampleDevices[0]?.serial ?? '' } });
  const { deviceIDList } = await session.createSamples();
  expect(deviceIDList).not.toContain(key);
  expect(await clipsOf([key])).toEqual([]);
});
