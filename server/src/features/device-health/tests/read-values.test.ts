import { expect, test } from 'vitest';
import { readHealthText } from '../read-values.ts';

const numbersIn = (report: object) =>
  Object.fromEntries(
    Object.entries(readHealthText(JSON.stringify(report)).numbers).filter(([, value]) => value !== undefined),
  );

test.each([
  ['one object for each part', { battery: { percent: 81.5, voltage: 3.9 }, cpu: { temperature: 47.2, percent: 12 } }],
  ['names with underscores', { battery_percent: 81.5, battery_voltage: 3.9, cpu_temp: 47.2, cpu_percent: 12 }],
  ['names in capitals', { BATTERY_LEVEL: 81.5, BatteryVolts: 3.9, CPUTemp: 47.2, 'cpu-usage': 12 }],
  ['deeper', { data: { power: { battery: { soc: 81.5, v: 3.9 } }, temperature: { cpu: 47.2 }, cpuPercent: 12 } }],
])('the same values are read from several spellings: %s', (_name, report) => {
  expect(numbersIn(report)).toEqual({ batteryPercent: 81.5, batteryVoltage: 3.9, cpuTemp: 47.2, cpuPercent: 12 });
});

test('disk, load and signal are read with their units', () => {
  expect(numbersIn({ disk: { total: 1000, used: 380, free: 620 } })).toEqual({
    diskUsedPercent: 38,
    diskFreeBytes: 620,
  });
  expect(numbersIn({ disk: { total: 1000, free: 620 }, disk_free_gb: 2 })).toMatchObject({ diskUsedPercent: 38 });
  expect(numbersIn({ disk: { free_mb: 12.5 } })).toEqual({ diskFreeBytes: 12_500_000 });
  expect(numbersIn({ load: [0.5, 1, 2] })).toEqual({ loadAverage: 0.5 });
  expect(numbersIn({ network: { signalStrength_dBm: -61 } })).toEqual({ signalStrength_dBm: -61 });
  expect(numbersIn({ wifi: { rssi: -70 } })).toEqual({ signalStrength_dBm: -70 });
});

test('texts are read, cut and never such as the database refuses', () => {
  const { texts } = readHealthText('{"battery":{"status":"charging"},"network":{"ssid":"Barn","linkQuality":"58/70"}}');
  expect(texts).toEqual({ batteryStatus: 'charging', accessPointName: 'Barn', linkQuality: '58/70' });
  expect(readHealthText(String.raw`{"ssid":"a\u0000b","batteryStatus":"\ud800"}`).texts).toEqual({
    batteryStatus: undefined,
    accessPointName: undefined,
    linkQuality: undefined,
  });
  expect(readHealthText(JSON.stringify({ ssid: 'x'.repeat(300) })).texts.accessPointName).toHaveLength(200);
});

test.each([
  ['a text', { batteryPercent: '50' }],
  ['out of range', { batteryPercent: 101, cpuTemp: 5000, rssi: 60, diskFree: -1 }],
  ['null and true', { batteryPercent: null, cpuTemp: true }],
  ['a total of zero', { disk: { total: 0, used: 0 } }],
])('a value that is no sensible number is ignored: %s', (_name, report) => {
  expect(numbersIn(report)).toEqual({});
});

test('numbers that JSON cannot hold are ignored alone', () => {
  expect(readHealthText('{"batteryPercent":NaN,"cpuTemp":-Infinity,"cpuPercent":3}').numbers).toMatchObject({
    batteryPercent: undefined,
    cpuTemp: undefined,
    cpuPercent: 3,
  });
  expect(readHealthText('{"batteryPercent":1e400,"cpuPercent":3}').numbers).toMatchObject({
    batteryPercent: undefined,
    cpuPercent: 3,
  });
});

test.each(['', 'no JSON', '5', '"text"', 'null', '[]', '['.repeat(30_000), '{"a":'.repeat(9_000)])(
  'text without values is read without a fault: %#',
  (text) => {
    const { numbers, position, date } = readHealthText(text);
    expect([...Object.values(numbers), position, date].filter((value) => value !== undefined)).toEqual([]);
  },
);

test('values deeper than six levels are ignored', () => {
  const nested = (levels: number): object => (levels === 0 ? { batteryPercent: 5 } : { a: nested(levels - 1) });
  expect(numbersIn(nested(6))).toEqual({ batteryPercent: 5 });
  expect(numbersIn(nested(7))).toEqual({});
});

test('a position needs both degrees in one object, in range, and not both zero', () => {
  const positionIn = (report: object) => readHealthText(JSON.stringify(report)).position;
  const there = { latitude: 47.1, longitude: -8.2, accuracy: 4 };
  expect(positionIn({ gps: { lat: 47.1, lon: -8.2, accuracy: 4 } })).toEqual(there);
  expect(positionIn({ Latitude: 47.1, Longitude: -8.2 })).toEqual({ ...there, accuracy: undefined });
  expect(positionIn({ latitude: 91, longitude: 0 })).toBeUndefined();
  expect(positionIn({ latitude: 0, longitude: 181 })).toBeUndefined();
  expect(positionIn({ latitude: '47', longitude: '8' })).toBeUndefined();
  expect(positionIn({ latitude: 0, longitude: 0 })).toBeUndefined();
  expect(positionIn({ a: { latitude: 1 }, b: { longitude: 2 } })).toBeUndefined();
});

test('the time of the report counts if the device can mean it', () => {
  const dateIn = (datetime: unknown) => readHealthText(JSON.stringify({ time: { datetime } })).date;
  const recent = Date.now() - 60_000;
  expect(dateIn(recent)).toEqual(new Date(recent));
  const nextYears = Date.now() + 73 * 365 * 86_400_000;
  for (const wrong of [0, 5_000, recent / 1000, nextYears, 8.7e15, String(recent), null]) {
    expect(dateIn(wrong)).toBeUndefined();
  }
});
