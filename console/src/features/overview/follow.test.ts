import type { Alert, DayOverview } from '@earshot/contract/overview';
import { expect, test, vi } from 'vitest';
import type { Change } from '../../lib/query.ts';

// The session is cleared by a function that the browser's parts register.
vi.stubGlobal('location', { origin: 'http://localhost', pathname: '/', search: '' });
const { followAlerts, followDay, followLatest } = await import('./follow.ts');
const { reload } = await import('../../lib/query.ts');

const now = Date.UTC(2026, 10, 16, 12);
const hour = 3_600_000;
const day: DayOverview = {
  startDate: new Date(now - 24 * hour).toISOString(),
  endDate: new Date(now).toISOString(),
  deviceCount: 1,
  clipCount: 3,
  soundSeconds: 60,
  isComplete: true,
  hours: Array.from({ length: 24 }, (_, index) => ({
    startDate: new Date(now - (24 - index) * hour).toISOString(),
    clipCount: 0,
    soundSeconds: 0,
  })),
  sampledClipCount: 3,
  sampledTranscriptCount: 0,
  earlierClipCount: 0,
  earlierTranscriptCount: 0,
  words: [],
  tags: [],
};

const change = (event: Change['event'], key: number, record?: object, name: Change['change'] = 'changed'): Change =>
  ({ id: '1-1', event, change: name, key, deviceID: 7, record }) as unknown as Change;
const clip = (startMs: number, more: object = {}) => ({
  key: 5,
  startTime: Math.floor(startMs / 1_000),
  clipLengthInSeconds: 20,
  ...more,
});

test('a new clip is counted in its hour without a reload', () => {
  const next = followDay(day, change('audioclip', 5, clip(now - 1.5 * hour), 'created'), now) as DayOverview;
  expect(next).toMatchObject({ clipCount: 4, soundSeconds: 80 });
  expect(next.hours.map(({ clipCount }) => clipCount).indexOf(1)).toBe(22);
  // The page was loaded an hour ago: the newest clips count in its last hour.
  const later = followDay(day, change('audioclip', 5, clip(now + 0.9 * hour), 'created'), now + hour) as DayOverview;
  expect(later.hours.at(-1)?.clipCount).toBe(1);
});

test('clips of other days, changed clips and other records do not change the day', () => {
  const same = [
    change('audioclip', 5, clip(now - 25 * hour), 'created'),
    change('audioclip', 5, clip(now + hour), 'created'),
    change('audioclip', 5, clip(now - hour)),
    change('event', 5, {}, 'created'),
    change('device', 7, {}),
  ];
  for (const each of same) expect(followDay(day, each, now)).toBe(day);
  expect(followDay(day, change('device', 7, undefined, 'removed'), now)).toBe(reload);
});

const alerts: readonly Alert[] = [
  { alert: 'failedEvents', keys: [1, 2], deviceIDs: [7], deviceNames: ['Gate'], newCount: 2, mayChange: true },
  { alert: 'darkDevices', keys: [8], deviceIDs: [8], deviceNames: ['Roof'], newCount: 1, mayChange: true },
  { alert: 'failedUploads', keys: [9], deviceIDs: [7], deviceNames: ['Gate'], newCount: 1, mayChange: true },
];

test.each([
  ['a new failure', change('event', 3, { eventStatus: 5 }), true],
  ['a known failure', change('event', 1, { eventStatus: 5 }), false],
  ['progress of an event', change('event', 4, { eventStatus: 3 }), false],
  ['a dark device that is back', change('device', 8, { online: true }), true],
  ['another device', change('device', 7, { online: false }), false],
  ['a failed upload', change('audioclip', 10, { audioClipStatus: 4 }), true],
  ['a failed upload that is known', change('audioclip', 9, { audioClipStatus: 4 }), false],
  ['an upload that is requested again', change('audioclip', 9, { audioClipStatus: 1 }), true],
  ['a new clip', change('audioclip', 11, { audioClipStatus: 0 }, 'created'), false],
  ['a caption', change('caption', 11, {}), false],
])('alerts after %s: reloaded only if it matters', (_name, told, isReloaded) => {
  expect(followAlerts(alerts, told)).toBe(isReloaded ? reload : alerts);
});

test('the latest sound is reloaded when newer sound arrives, not for every clip', () => {
  const list = [
    { key: 1, startTime: 200, tagList: [] },
    { key: 2, startTime: 100, tagList: [] },
  ];
  const sound = (startTime: number, audioClipStatus: number) =>
    change('audioclip', 5, { key: 5, startTime, audioClipStatus });
  expect(followLatest(list, sound(300, 3), 2)).toBe(reload);
  expect(followLatest(list, sound(300, 0), 2)).toBe(list);
  expect(followLatest(list, sound(50, 3), 2)).toBe(list);
  expect(followLatest(list, sound(50, 3), 6)).toBe(reload);
  expect(followLatest(list, change('caption', 2, {}), 2)).toBe(reload);
  expect(followLatest(list, change('caption', 3, {}), 2)).toBe(list);
});
