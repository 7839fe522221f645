import type { Static } from 'typebox';
import { Type } from 'typebox';
import { RadioUnit, TalkgroupNumber } from './radio.ts';
import { tagNameLength } from './tag.ts';
import { Key, longestIdList, oneOf, TimeZone, tightText } from './values.ts';

/** The parts of a rule beside its condition: where, how often, when, and what is done. */

const mostListed = 200;

const keys = (description: string) => Type.Array(Key, { maxItems: longestIdList, examples: [[]], description });

export const RuleWhere = Type.Object(
  {
    deviceIDs: Type.Optional(keys('These devices.')),
    collectionIDs: Type.Optional(keys('The devices of these collections that the owner of the rule may read.')),
    talkgroups: Type.Optional(
      Type.Array(
        Type.Object(
          {
            deviceID: Type.Optional(
              Type.Integer({ ...Key, examples: [], description: 'Missing: every device of `where`.' }),
            ),
            talkgroup: Type.Integer({ ...TalkgroupNumber, examples: [4521] }),
          },
          { title: 'RuleTalkgroup' },
        ),
        { maxItems: mostListed, examples: [[]], description: 'Radio calls of these talkgroups.' },
      ),
    ),
    units: Type.Optional(
      Type.Array(Type.Integer({ ...RadioUnit }), {
        maxItems: mostListed,
        examples: [[]],
        description: 'Radio calls in which one of these radios transmitted.',
      }),
    ),
    isEmergency: Type.Optional(
      Type.Boolean({ examples: [], description: 'Radio calls that are emergencies (true) or are not (false).' }),
    ),
  },
  {
    title: 'RuleWhere',
    description:
      'Which clips the rule looks at: its parts are joined by "and", the entries of a list by "or"; a list that is missing or ' +
      'empty is no condition. Missing: every device that the owner of the rule may read.',
  },
);
export type RuleWhere = Static<typeof RuleWhere>;

export const mostInWindow = 100;
export const longestWindowSeconds = 86_400;

export const RuleAtLeast = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: mostInWindow, examples: [2] }),
    withinSeconds: Type.Integer({ minimum: 1, maximum: longestWindowSeconds, examples: [180] }),
    acrossDevices: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Counts clips of all devices of `where` together.' }),
    ),
  },
  {
    title: 'RuleAtLeast',
    description:
      'A clip matches if at least `count` clips that satisfy the rule, itself among them, begin within the `withinSeconds` ' +
      'that end with its own start.',
  },
);
export type RuleAtLeast = Static<typeof RuleAtLeast>;

export const mostActiveTimes = 20;
const ClockTime = Type.String({
  pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
  examples: ['22:00'],
  description: 'a time of day from 00:00 to 23:59',
});

export const RuleActiveTime = Type.Object(
  {
    days: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 7, examples: [1] }), {
        maxItems: 7,
        examples: [[]],
        description: '1 is Monday: the days on which the time begins. Missing or empty: every day.',
      }),
    ),
    from: ClockTime,
    to: ClockTime,
    timeZone: Type.Optional(
      Type.String({ ...TimeZone, examples: [], description: 'Missing: that of the device, else UTC.' }),
    ),
  },
  {
    title: 'RuleActiveTime',
    description:
      'The local time at which a clip begins: from `from` until before `to`. If `to` is not after `from`, it is a time of ' +
      'the next day.',
  },
);
export type RuleActiveTime = Static<typeof RuleActiveTime>;

export const actionNames = ['notify', 'runPreset', 'requestUpload', 'lock', 'tag'] as const;

export const mostActions = 20;
export const mostTold = 100;
export const mostTargets = 20;
export const longestUploadSeconds = 1_800;

const RuleRecipient = Type.Object(
  {
    userID: Type.Optional(Key),
    teamID: Type.Optional(Key),
    channelID: Type.Optional(
      Type.Integer({ ...Key, examples: [], description: 'A channel of the owner of the rule.' }),
    ),
  },
  {
    title: 'RuleRecipient',
    description:
      'One of these: a person; a team, that is those of its people who are on duty, or all if nobody is who may be told; a channel.',
  },
);

export const RuleAction = Type.Object(
  {
    action: oneOf(...actionNames),
    to: Type.Optional(
      Type.Array(RuleRecipient, {
        maxItems: mostTold,
        examples: [[]],
        description: '`notify`: the people, teams and channels to tell. Missing or empty: the owner of the rule.',
      }),
    ),
    includesWords: Type.Optional(
      Type.Boolean({ examples: [], description: '`notify`: whether messages of channels have the words.' }),
    ),
    eventPresetID: Type.Optional(Type.Integer({ ...Key, examples: [], description: '`runPreset`: the preset.' })),
    on: Type.Optional(
      Type.Unsafe<'device' | 'named' | 'nearest'>({
        ...oneOf('device', 'named', 'nearest'),
        examples: [],
        description:
          '`runPreset`: on the device of the clip, on `deviceIDs`, or on the other devices nearest to it, within 50 km. Their ' +
          'positions were set by hand, or measured in the last 30 minutes.',
      }),
    ),
    from: Type.Optional(
      Type.Unsafe<'device' | 'nearest' | 'every'>({
        ...oneOf('device', 'nearest', 'every'),
        examples: [],
        description: '`requestUpload`: of the device of the clip, of the nearest ones, or of every device of the rule.',
      }),
    ),
    deviceIDs: Type.Optional(Type.Array(Key, { maxItems: mostTargets, examples: [[]] })),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostTargets,
        examples: [],
        description: 'How many devices are nearest; 1 when missing.',
      }),
    ),
    beforeSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: longestUploadSeconds, examples: [] })),
    afterSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: longestUploadSeconds, examples: [] })),
    tagName: Type.Optional(Type.String({ ...tightText(tagNameLength, 'fire'), examples: [] })),
  },
  { title: 'RuleAction', description: 'One thing that is done. The fields that belong to other actions are left out.' },
);
export type RuleAction = Static<typeof RuleAction>;
