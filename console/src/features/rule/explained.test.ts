import { expect, test } from 'vitest';
import { partText } from './explained.ts';

const named = (word: string) => (key: number) => `${word} ${key}`;
const names = {
  device: named('device'),
  collection: named('collection'),
  person: named('person'),
  team: named('team'),
  preset: named('preset'),
  channel: named('channel'),
  talkgroup: named('talkgroup'),
};

test('an explanation names the part of the rule', () => {
  const rule = {
    where: { deviceIDs: [1], units: [7, 8] },
    when: { all: [{ words: 'truck' }, { none: [{ tagName: 'test' }] }] },
    activeTimes: [{ from: '22:00', to: '06:00' }],
    atLeast: { count: 2, withinSeconds: 60 },
  };
  const paths = [
    'where',
    'where.units',
    'when.all[0].words',
    'when.all[1].none[0].tagName',
    'activeTimes[0]',
    'atLeast',
    'later',
  ];
  expect(paths.map((path) => partText(rule, path, names))).toEqual([
    'Where: device 1',
    'Unit: 7 or 8',
    'It says “truck”',
    'It does not have the tag test',
    'Time: 22:00–06:00',
    'Satisfied at least 2 times within 1 min',
    'later',
  ]);
});
