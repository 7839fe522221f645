import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import type { RuleSeverity } from './rule.ts';
import { ruleSeverities } from './rule.ts';
import { mostActiveTimes, RuleActiveTime } from './rule-parts.ts';
import {
  clearable,
  Count,
  Counter,
  Cursor,
  DateTime,
  Epoch,
  Key,
  Milliseconds,
  oneOf,
  pageCursors,
  shortTextLength,
  text,
} from './values.ts';

/** What a person is told on every page of the console. */

/**
 * - alert: a rule found something
 * - limit: a rule acted on as many alerts of an hour as it may; the others are recorded silently
 * - tooOld: rules found sound that was too old to act on; one entry an hour
 * - refused: an action was not done, because the owner of the rule lacks the right, or no admin allowed it
 * - channelFailing: a channel of the person does not take messages
 */
export const bellKinds = ['alert', 'limit', 'tooOld', 'refused', 'channelFailing'] as const;
export type BellKind = (typeof bellKinds)[number];

const BellEntry = Type.Object(
  {
    key: Type.Optional(Key),
    kind: Type.Optional(
      Type.Unsafe<BellKind>({
        ...oneOf(...bellKinds),
        description:
          '`alert`: a rule found something. `limit`: a rule acted on as many alerts of an hour as it may. `tooOld`: sound that ' +
          'was too old to act on, at most once an hour. `refused`: an action that was not done. `channelFailing`: a channel of ' +
          'yours takes no messages.',
      }),
    ),
    ruleID: Type.Optional(Key),
    ruleName: Type.Optional(text(shortTextLength)),
    severity: Type.Optional(oneOf(...ruleSeverities)),
    alertID: Type.Optional(Key),
    audioClipID: Type.Optional(
      Type.Integer({ ...Key, description: 'The first clip of the alert that is not withdrawn, if you may read it.' }),
    ),
    deviceID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    startTime: Type.Optional(Type.Integer({ ...Epoch, description: 'Of that clip.' })),
    startTimeMs: Type.Optional(Milliseconds),
    text: Type.Optional(
      Type.String({ description: 'What is said in that clip, of its transcript as it is now; it is not stored here.' }),
    ),
    count: Type.Optional(
      Type.Integer({ ...Counter, description: '`tooOld`: the alerts that were not acted on in that hour.' }),
    ),
    reason: Type.Optional(
      Type.String({
        description:
          '`refused`: which action, and why. `channelFailing`: which channel, and why. `alert`: why you are told now, if nobody ' +
          'acknowledged it before.',
      }),
    ),
    isRead: Type.Optional(Type.Boolean()),
    isResolved: Type.Optional(
      Type.Boolean({ description: 'True: none of the matches of the alert holds any more. It counts as read.' }),
    ),
    isQuiet: Type.Optional(
      Type.Boolean({ description: 'True: it came in your quiet hours; a program shows it and makes no sound.' }),
    ),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'BellEntry' },
);
export type BellEntry = Static<typeof BellEntry>;

const Bell = Type.Object(
  {
    unreadCount: Type.Integer({ ...Counter, description: 'Of all entries, counted up to 1,000.' }),
    results: Type.Array(BellEntry),
    ...pageCursors,
  },
  { title: 'Bell' },
);
export type Bell = Static<typeof Bell>;

export const mostUnread = 1_000;

const BellRead = Type.Object(
  { readTo: Type.Integer({ ...Key, description: 'The key of the newest entry that was shown.' }) },
  { title: 'BellRead' },
);

const QuietTimes = Type.Array(RuleActiveTime, {
  maxItems: mostActiveTimes,
  examples: [[{ from: '22:00', to: '06:00', timeZone: 'Europe/Zurich' }]],
  description: 'By your clock: `timeZone` missing means UTC.',
});

const { from: ClockTime, timeZone: ZoneName } = RuleActiveTime.properties;

const mostChannelsOfSeverity = 100;

const channelsOf = (severity: RuleSeverity) =>
  Type.Array(Key, {
    maxItems: mostChannelsOfSeverity,
    examples: [[]],
    description: `Channels of yours that tell you of alerts that are \`${severity}\`. Empty: the bell alone.`,
  });

const chosenChannels = { info: channelsOf('info'), warning: channelsOf('warning'), critical: channelsOf('critical') };

const SeverityChannels = Type.Object(chosenChannels, {
  title: 'SeverityChannels',
  description: 'How you are told beside the bell, which has everything.',
});

const SeverityChannelsUpdate = Type.Object(
  {
    info: Type.Optional(chosenChannels.info),
    warning: Type.Optional(chosenChannels.warning),
    critical: Type.Optional(chosenChannels.critical),
  },
  { title: 'SeverityChannelsUpdate', description: 'A severity that is missing keeps its channels.', examples: [{}] },
);

/** Below which alerts may be in the digest instead of being told at once. */
export const digestLimits = ['warning', 'critical'] as const;

const BellDigest = Type.Object(
  {
    at: Type.String({ ...ClockTime, examples: ['07:30'] }),
    timeZone: Type.Optional(Type.String({ ...ZoneName, description: 'Missing: UTC.' })),
    below: Type.Optional(
      Type.Unsafe<(typeof digestLimits)[number]>({
        ...oneOf(...digestLimits),
        description:
          'Alerts of a lower severity are in the digest only. Missing: the digest has what came in quiet times.',
      }),
    ),
  },
  {
    title: 'BellDigest',
    description:
      'One message a day to each of your channels that would have told you: how many alerts of each rule are still open.',
  },
);
export type BellDigest = Static<typeof BellDigest>;

const BellManners = Type.Object(
  {
    quietTimes: QuietTimes,
    refusesOthers: Type.Boolean({ description: 'Rules of other people do not tell you.' }),
    severityChannels: SeverityChannels,
    digest: Type.Optional(BellDigest),
  },
  { title: 'BellManners', description: 'When and by whose rules a person is told.' },
);
export type BellManners = Static<typeof BellManners>;

const BellMannersUpdate = Type.Object(
  {
    quietTimes: Type.Optional(QuietTimes),
    refusesOthers: Type.Optional(Type.Boolean({ examples: [false] })),
    severityChannels: Type.Optional(SeverityChannelsUpdate),
    digest: Type.Optional(clearable(Type.Object(BellDigest.properties, { title: 'BellDigestUpdate' }))),
  },
  { title: 'BellMannersUpdate' },
);
export type BellMannersUpdate = Static<typeof BellMannersUpdate>;

export const readBell = operation('bell', {
  method: 'GET',
  path: '/v1/bell',
  summary: 'List what you were told, newest first',
  description:
    'Entries of alerts and clips that you may see now, with what is said as it is now. Kept for `EARSHOT_MATCH_DAYS`.',
  access: 'caller',
  acts: [],
  query: { count: Type.Optional(Count), cursor: Type.Optional(Cursor) },
  answer: Bell,
});

export const markBellRead = operation('bell', {
  method: 'PUT',
  path: '/v1/bell',
  summary: 'Mark entries as read, up to one of them',
  access: 'caller',
  acts: [],
  body: BellRead,
  trail: 'Whether a person has read an entry concerns only that person.',
});

export const getBellManners = operation('bell', {
  method: 'GET',
  path: '/v1/bell/manners',
  summary: 'Read when and by whose rules you are told',
  access: 'caller',
  acts: [],
  answer: BellManners,
});

export const putBellManners = operation('bell', {
  method: 'PUT',
  path: '/v1/bell/manners',
  summary: 'Set when and by whose rules you are told',
  description:
    'Sets the fields that are present; `null` clears the digest. In quiet times an entry of the bell is added without a sound, ' +
    'and channels that you chose tell you in the digest, or not at all without one. Your own `critical` rules, and those of ' +
    'admins, are not quiet. With `refusesOthers` only your own rules tell you.',
  access: 'caller',
  acts: [],
  body: BellMannersUpdate,
  answer: BellManners,
  trail: 'The manners of a person concern only that person.',
});
