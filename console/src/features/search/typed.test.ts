import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { origin: 'http://localhost', pathname: '/', search: '' });
const { optionsOf, readTyped } = await import('./typed.ts');
const { dayOf } = await import('./address.ts');

const read = (text: string, isDone = false) => {
  const { rest, filters, pending } = readTyped(text, isDone);
  const written = filters.map(({ name, value }) => `${name}=${value}`);
  return [rest, written, pending ? `${pending.name}=${pending.value}` : ''];
};

test.each([
  ['ferry', 'ferry', [], ''],
  ['device:gate ferry', 'ferry', ['device=gate'], ''],
  ['ferry device:ga', 'ferry', [], 'device=ga'],
  ['ferry device:"North ga', 'ferry', [], 'device=North ga'],
  ['ferry device:"North gate"', 'ferry', ['device=North gate'], ''],
  ['Tag:bell AFTER:today x', 'x', ['tag=bell', 'after=today'], ''],
  ['"device:gate" x', '"device:gate" x', [], ''],
  ['mydevice:gate', 'mydevice:gate', [], ''],
  ['device: x', 'x', [], ''],
])('%j is read as %j with %j, pending %j', (text, rest, filters, pending) => {
  expect(read(text)).toEqual([rest, filters, pending]);
});

test('on Enter nothing is pending', () => {
  expect(read('ferry device:ga', true)).toEqual(['ferry', ['device=ga'], '']);
});

const known = {
  devices: [
    { key: 1, deviceName: 'North gate', deviceSerial: 'gate' },
    { key: 2, deviceName: 'Gate', deviceSerial: 'x-2' },
  ],
  tags: [{ key: 7, tagName: 'church bells' }],
  talkgroups: [{ deviceID: 1, talkgroup: 4_521, talkgroupLabel: 'FIRE DISP' }],
};
const none = { searchText: '', order: 'desc' } as const;
const applied = (name: Parameters<typeof optionsOf>[0]['name'], value: string) =>
  optionsOf({ name, value }, known)[0]?.apply(none);

test('a filter means what is called so, else what contains it', () => {
  expect(applied('device', 'gate')?.deviceIDList).toEqual([1]);
  expect(applied('device', 'x-2')?.deviceIDList).toEqual([2]);
  expect(applied('device', 'north')?.deviceIDList).toEqual([1]);
  expect(applied('device', 'south')).toBeUndefined();
  expect(applied('tag', 'bells')?.tagIDList).toEqual([7]);
  expect(applied('talkgroup', 'fire')?.talkgroup).toBe(4_521);
  expect(applied('talkgroup', '99')?.talkgroup).toBe(99);
  expect(applied('talkgroup', 'police')).toBeUndefined();
});

test('after begins with its day; before ends the second before it; a day that does not exist is none', () => {
  expect(dayOf(applied('after', '2026-03-05')?.startEpoch ?? 0)).toBe('2026-03-05');
  expect(dayOf(applied('before', '2026-03-05')?.endEpoch ?? 0)).toBe('2026-03-04');
  expect(dayOf(applied('after', 'today')?.startEpoch ?? 0)).toBe(dayOf(Date.now() / 1_000));
  expect(['2026-02-30', 'noon', ''].map((day) => applied('before', day))).toEqual([undefined, undefined, undefined]);
});
