import { expect, test } from 'vitest';
import { momentsOf } from './timeline.ts';

const texts = { person: (key?: number) => `person ${key}`, act: ({ action }: { action: string }) => action };
const minute = (count: number): string => new Date(1_700_000_000_000 + count * 60_000).toISOString();

test('sound, arrival, judging, telling, acts, notes and the end are in the order of time', () => {
  const alert = {
    key: 1,
    startTime: 1_700_000_000,
    lastStartTime: 1_700_000_030,
    state: 'closed' as const,
    stateDate: minute(9),
    stateBy: 4,
    toldDate: minute(3),
    acts: [
      { action: 'notify' as const, userID: 4, actDate: minute(3) },
      { action: 'runPreset' as const, actDate: minute(4), refusal: 'The device is not yours.' },
    ],
    notes: [{ key: 1, userID: 5, note: 'An exercise.', creationDate: minute(6) }],
  };
  const matches = [{ arrivedDate: minute(1), transcribedDate: minute(2), judgedDate: minute(2.5) }];
  expect(momentsOf(alert, matches, texts).map(({ text, note }) => (note ? `${text}: ${note}` : text))).toEqual([
    'The first sound was made',
    'The last sound was made',
    'It arrived',
    'It was transcribed, as it is now',
    'It was judged',
    'People were told',
    'Not done: runPreset: The device is not yours.',
    'Note by person 5: An exercise.',
    'Closed by person 4',
  ]);
});

test('the steps after nobody acknowledged are told once each, with their people', () => {
  const step = (userID: number, escalation: 'nextDuty' | 'team', minutes: number) =>
    ({ action: 'notify', userID, teamID: 2, escalation, actDate: minute(minutes) }) as const;
  const alert = {
    startTime: 1_700_000_000,
    creationDate: minute(1),
    acts: [
      { action: 'notify' as const, userID: 4, teamID: 2, actDate: minute(1) },
      step(5, 'nextDuty', 11),
      step(6, 'team', 21),
      step(7, 'team', 21.001),
      { action: 'notify' as const, teamID: 2, escalation: 'admins' as const, actDate: minute(31), refusal: 'Muted.' },
    ],
    notes: [],
  };
  const moments = momentsOf(alert, [], texts).map(({ text, note }) => (note ? `${text}: ${note}` : text));
  expect(moments.slice(2)).toEqual([
    'Nobody acknowledged it: those were told who are on duty next: person 5',
    'Nobody acknowledged it: the rest of the team was told: person 6, person 7',
    'Nobody else was told: Muted.',
  ]);
});

test('the platform closes an alert whose matches are withdrawn', () => {
  const alert = {
    startTime: 1_700_000_000,
    creationDate: minute(1),
    state: 'closed' as const,
    closeReason: 'withdrawn' as const,
    stateDate: minute(2),
    acts: [],
    notes: [],
  };
  expect(momentsOf(alert, [], texts).map(({ text }) => text)).toEqual([
    'The first sound was made',
    'It was judged',
    'Closed by the platform, because none of its matches holds any more',
  ]);
});
