import { expect, test } from 'vitest';
import { groupRecords, outagesOf } from './group-records.ts';
import type { AlertRecord } from './alert-queries.ts';

const minute = 60_000;
const now = Date.UTC(2026, 10, 16, 12);

const record = (key: number, minutesAgo: number, more: Partial<AlertRecord> = {}): AlertRecord => ({
  alert: 'darkDevices',
  key,
  deviceID: key,
  deviceName: `Device ${key}`,
  dateMs: now - minutesAgo * minute,
  isAcknowledged: false,
  mayChange: true,
  ...more,
});

const keysOf = (groups: readonly (readonly AlertRecord[])[]) => groups.map((group) => group.map(({ key }) => key));

test('devices whose contact ended within the same minutes are one outage', () => {
  const fleet = Array.from({ length: 31 }, (_, index) => record(index + 1, 120 + index / 31));
  expect(groupRecords([...fleet, record(99, 600)])).toMatchObject([
    { alert: 'darkDevices', newCount: 31, deviceNames: ['Device 1', 'Device 2', 'Device 3'] },
    { alert: 'darkDevices', newCount: 1, keys: [99] },
  ]);
});

test('an outage does not grow without end: devices that go dark one after the other are split', () => {
  const slow = Array.from({ length: 20 }, (_, index) => record(index, 100 + index * 4));
  const groups = outagesOf(slow);
  expect(groups.map((group) => group.length)).toEqual([8, 8, 4]);
  expect(keysOf(outagesOf([record(1, 10), record(2, 15), record(3, 21)]))).toEqual([[1, 2], [3]]);
});

test('records of another kind are one alert, with the devices once each', () => {
  const uploads = [1, 2, 3].map((key) => record(key, key, { alert: 'failedUploads', deviceID: 7 }));
  const [first, ...others] = groupRecords([
    { ...uploads[0]!, isAcknowledged: true },
    ...uploads.slice(1).map((upload) => ({ ...upload, mayChange: false })),
  ]);
  expect(others).toEqual([]);
  expect(first).toMatchObject({ keys: [1, 2, 3], deviceIDs: [7], newCount: 2, mayChange: true });
  expect(first?.firstDate).toBe(new Date(now - 3 * minute).toISOString());
});
