import { expect, test } from 'vitest';
import type { NameOf, SaidRule } from './rule-sentence.ts';
import { sentenceOf } from './rule-sentence.ts';

const names: Readonly<Record<string, string>> = {
  'device 7': 'North gate',
  'device 8': 'Pier',
  'collection 3': 'Harbour',
  'person 5': 'Ann',
  'preset 4': 'Upload surroundings',
};
const nameOf: NameOf = (kind, key) => names[`${kind} ${key}`];

const sentences: readonly (readonly [SaidRule, string])[] = [
  [{ when: { words: 'fire' } }, 'When any device says fire: list the clip.'],
  [{ when: { words: 'north "main street"' } }, 'When any device says north and "main street": list the clip.'],
  [
    {
      where: { deviceIDs: [7, 9] },
      when: { any: [{ words: '"structure fire"' }, { words: '"working fire"' }] },
      atLeast: { count: 2, withinSeconds: 180 },
      activeTimes: [{ from: '22:00', to: '06:00' }],
      actions: [{ action: 'lock' }, { action: 'tag', tagName: 'fire' }],
    },
    'When North gate or device 9 says "structure fire" or "working fire", at least 2 times within 3 minutes, ' +
      'from 22:00 to 06:00: lock the clip and tag the clip as fire.',
  ],
  [
    {
      where: { collectionIDs: [3], talkgroups: [{ talkgroup: 7 }, { deviceID: 8, talkgroup: 9 }], units: [701, 702] },
      when: { anySound: true },
    },
    'When a clip of any device in Harbour on talkgroup 7 or 9 of Pier with unit 701 or 702 has any sound: list the clip.',
  ],
  [
    {
      where: { isEmergency: true },
      when: { all: [{ words: 'fire' }, { none: [{ words: 'drill' }, { tagName: 'Music', minConfidence: 60 }] }] },
    },
    'When a clip of any device in an emergency call says fire and (does not say drill and lacks the tag Music with at ' +
      'least 60 %): list the clip.',
  ],
  [
    {
      where: { isEmergency: false },
      when: {
        any: [
          { all: [{ speechSeconds: { min: 3 } }, { levelDb: { min: -30, max: -5 } }] },
          { none: [{ any: [{ lengthSeconds: { max: 1 } }, { clippedPercent: { min: 1, max: 1 } }] }] },
        ],
      },
    },
    'When a clip of any device in a call that is no emergency (has at least 3 s of speech and has a level of -30 to -5 ' +
      'dBFS) or not (has a length of at most 1 s or has exactly 1 % of its samples clipped): list the clip.',
  ],
  [
    {
      when: { none: [{ anySound: true }, { speechSeconds: { max: 2 } }] },
      atLeast: { count: 1, withinSeconds: 86_400, acrossDevices: true },
      activeTimes: [
        { days: [6, 7], from: '00:00', to: '00:00', timeZone: 'Europe/Zurich' },
        { from: '12:00', to: '13:00' },
      ],
    },
    'When a clip of any device is silent and does not have at most 2 s of speech, at least once within 1 day on all of ' +
      'them together, for 24 hours from 00:00 on Saturdays and Sundays (Europe/Zurich) or from 12:00 to 13:00: list the clip.',
  ],
  [
    {
      when: { words: 'fire' },
      actions: [
        { action: 'notify' },
        { action: 'notify', to: [{ userID: 5 }, { userID: 6 }] },
        { action: 'runPreset', eventPresetID: 4, on: 'nearest', count: 3 },
        { action: 'runPreset', eventPresetID: 4, on: 'named', deviceIDs: [8] },
        { action: 'runPreset', eventPresetID: 4, on: 'device' },
        { action: 'requestUpload', beforeSeconds: 30, afterSeconds: 90, from: 'every' },
      ],
    },
    'When any device says fire: tell me, tell Ann and person 6, run Upload surroundings on the 3 nearest devices, run ' +
      'Upload surroundings on Pier, run Upload surroundings on the device and upload the sound of every device from 30 ' +
      'seconds before to 90 seconds after.',
  ],
];

test.each(sentences)('%j is a sentence', (rule, sentence) => {
  expect(sentenceOf(rule, nameOf)).toBe(sentence);
});
