import { expect, test } from 'vitest';
import { readValues } from './sent-values.ts';

test('every value of a report is named by its place, known to the platform or not', () => {
  const report = { battery: { percent: 81 }, moisture: 0.4, doors: [{ open: true }], note: 'ok', gone: null };
  expect(readValues(JSON.stringify(report)).map(({ name, text }) => `${name}=${text}`)).toEqual([
    'battery.percent=81',
    'moisture=0.4',
    'doors.0.open=true',
    'note=ok',
  ]);
});

test('a report that is no object, no JSON or very large is read as far as it goes', () => {
  expect(readValues('{')).toEqual([]);
  expect(readValues('null')).toEqual([]);
  const large = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`v${at}`, 'x'.repeat(1_000)]));
  const values = readValues(JSON.stringify(large));
  expect(values).toHaveLength(200);
  expect(values[0]?.text).toHaveLength(300);
});
