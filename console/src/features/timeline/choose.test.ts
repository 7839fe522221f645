import type { Device } from '@earshot/contract/device';
import { expect, test } from 'vitest';
import { byLatestClip, lanePage } from './choose.ts';

const fleet: readonly Device[] = Array.from({ length: 40 }, (_, index) => ({ key: index + 1, online: index === 20 }));

test('devices with the newest clips come first, then those that are online', () => {
  const clips = [{ deviceID: 31 }, { deviceID: 31 }, { deviceID: 7 }, { deviceID: 99 }];
  expect(
    byLatestClip(fleet, clips)
      .slice(0, 4)
      .map(({ key }) => key),
  ).toEqual([31, 7, 21, 1]);
});

test('40 devices are on five pages, and the text says which are shown', () => {
  expect(lanePage(fleet, 1)).toMatchObject({ page: 1, pages: 5, text: 'Devices 1–8 of 40' });
  const last = lanePage(fleet, 99);
  expect(last).toMatchObject({ page: 5, text: 'Devices 33–40 of 40' });
  expect(last.shown.map(({ key }) => key)).toEqual([33, 34, 35, 36, 37, 38, 39, 40]);
  expect(lanePage(fleet, Number.NaN).page).toBe(1);
  expect(lanePage(fleet.slice(0, 33), 5).text).toBe('Devices 33 of 33');
  expect(lanePage(fleet.slice(0, 8), 1).text).toBe('');
});
