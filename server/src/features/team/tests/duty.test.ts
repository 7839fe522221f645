import { expect, test } from 'vitest';
import { findNextDuty, findOnDuty } from '../duty.ts';

const [ada, ben, cleo] = [1, 2, 3];
const at = (text: string) => Date.parse(text);
const next = (found: ReturnType<typeof findNextDuty>) =>
  found && [new Date(found.atMs).toISOString(), ...found.userIDs];

/** Ada on weekdays, Ben at night from Friday, Cleo at the weekend in another zone. */
const north = {
  timeZone: 'Europe/Zurich',
  rota: [
    { userID: ada, days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' },
    { userID: ben, days: [5], from: '18:00', to: '08:00' },
    { userID: cleo, days: [6, 7], from: '09:00', to: '17:00', timeZone: 'UTC' },
  ],
};

test('who is on duty: by day, over midnight, in the zone of the duty or of the team', () => {
  // A Friday in summer; Zurich is two hours ahead.
  expect(findOnDuty(north, at('2026-06-05T05:59:00Z'))).toEqual([]);
  expect(findOnDuty(north, at('2026-06-05T06:00:00Z'))).toEqual([ada]);
  expect(findOnDuty(north, at('2026-06-05T16:00:00Z'))).toEqual([ben]);
  expect(findOnDuty(north, at('2026-06-06T05:59:00Z'))).toEqual([ben]);
  expect(findOnDuty(north, at('2026-06-06T06:00:00Z'))).toEqual([]);
  expect(findOnDuty(north, at('2026-06-06T09:00:00Z'))).toEqual([cleo]);
  expect(findOnDuty({ rota: [], timeZone: null }, at('2026-06-06T09:00:00Z'))).toEqual([]);
});

test('several people may be on duty at once, each named once', () => {
  const rota = [
    { userID: ben, from: '00:00', to: '00:00' },
    { userID: ada, from: '08:00', to: '12:00' },
    { userID: ben, from: '08:00', to: '12:00' },
  ];
  expect(findOnDuty({ rota, timeZone: null }, at('2026-06-05T09:00:00Z'))).toEqual([ben, ada]);
  expect(findOnDuty({ rota, timeZone: null }, at('2026-06-05T13:00:00Z'))).toEqual([ben]);
});

test('the next duty is the one that begins first after a time, of people who are not left out', () => {
  expect(next(findNextDuty(north, at('2026-06-05T06:00:00Z')))).toEqual(['2026-06-05T16:00:00.000Z', ben]);
  expect(next(findNextDuty(north, at('2026-06-05T06:00:00Z'), [ben]))).toEqual(['2026-06-06T09:00:00.000Z', cleo]);
  expect(next(findNextDuty(north, at('2026-06-05T06:00:00Z'), [ben, cleo]))).toEqual(['2026-06-08T06:00:00.000Z', ada]);
  expect(next(findNextDuty(north, at('2026-06-06T09:00:00Z'), [ada, ben]))).toEqual(['2026-06-07T09:00:00.000Z', cleo]);
  expect(findNextDuty(north, at('2026-06-06T09:00:00Z'), [ada, ben, cleo])).toBeUndefined();
});

test('a duty of one day a week begins again after a week', () => {
  const rota = [{ userID: ada, days: [5], from: '08:00', to: '09:00' }];
  expect(next(findNextDuty({ rota, timeZone: null }, at('2026-06-05T08:00:00Z')))).toEqual([
    '2026-06-12T08:00:00.000Z',
    ada,
  ]);
});
