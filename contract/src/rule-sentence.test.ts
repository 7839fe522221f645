import { expect, test } from 'vitest';
import type { RuleWhen } from './rule-when.ts';
import { sentenceOf, whenText } from './rule-sentence.ts';

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

test('a rule reads as a sentence', () => {
  const rule = {
    where: { deviceIDs: [1, 2], talkgroups: [{ talkgroup: 4521 }], isEmergency: true },
    when: { any: [{ words: '"structure fire"' }, { words: '"working fire"' }] },
    atLeast: { count: 2, withinSeconds: 180, acrossDevices: true },
    activeTimes: [{ days: [1, 7], from: '22:00', to: '06:00', timeZone: 'Europe/Zurich' }],
    actions: [{ action: 'notify' as const }, { action: 'lock' as const }, { action: 'tag' as const, tagName: 'fire' }],
  };
  expect(sentenceOf(rule, names)).toBe(
    'When an emergency call on talkgroup 4521 of device 1 or device 2 says “structure fire” or “working fire”, at least 2 ' +
      'times within 3 min on all devices together, Mon, Sun 22:00–06:00 (Europe/Zurich): tell me, lock the clip and tag ' +
      'the clip fire.',
  );
});

test('an empty rule is a sentence too, and many devices are counted', () => {
  expect(sentenceOf({ when: { words: '' } }, names)).toBe('When any device says …: only note it.');
  expect(sentenceOf({ where: { deviceIDs: [1, 2, 3, 4, 5] }, when: { anySound: true } }, names)).toBe(
    'When device 1, device 2, device 3 or 2 more has any sound: only note it.',
  );
});

test.each<[RuleWhen, string]>([
  [{ words: 'old "structure fire"' }, 'says “old” and “structure fire”'],
  [{ all: [{ words: 'truck' }, { none: [{ words: 'harbour' }] }] }, 'says “truck” and does not say “harbour”'],
  [
    { any: [{ words: 'a b' }, { all: [{ tagName: 'siren', minConfidence: 40 }, { anySound: true }] }] },
    'says “a” and “b” or (has the tag siren with at least 40 % and has any sound)',
  ],
  [{ levelDb: { min: -30, max: -10 } }, 'has a level of −30 to −10 dBFS'],
  [{ none: [{ speechSeconds: { min: 3 } }] }, 'has no speech of at least 3 s'],
])('%j', (when, text) => {
  expect(whenText(when)).toBe(text);
});
