import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Key, oneOf, shortTextLength, text } from './values.ts';

/** What happened in the last 24 hours, and what needs attention. */

/** Hours of the overview. */
export const overviewHours = 24;
/** The most records of one kind of alert that are looked at, and that one request may name. */
export const mostAlertRecords = 2_000;
/** A device is dark if it is offline for longer. */
export const darkAfterMinutes = 15;
/** A device that is online now and then is dark if it is offline for longer. */
export const silentAfterHours = 24;
export const lowBatteryPercent = 20;
export const fullDiskPercent = 90;

const OverviewHour = Type.Object(
  {
    startDate: DateTime,
    clipCount: Counter,
    soundSeconds: Counter,
    onlinePercent: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        examples: [97.5],
        description:
          'How much of this hour the devices were online, on average over the devices that ever had contact; missing ' +
          'if it is unknown.',
      }),
    ),
  },
  { title: 'OverviewHour' },
);
export type OverviewHour = Static<typeof OverviewHour>;

const level = {
  clipCount: Type.Integer({ ...Counter, examples: [12], description: 'Clips of the sample of this day.' }),
  usualClipCount: Type.Number({
    minimum: 0,
    examples: [2.5],
    description: 'As many would be usual in such a sample, by the seven days before.',
  }),
};

const WordLevel = Type.Object(
  {
    word: Type.String({ examples: ['ferry'], description: 'In the form in which the search compares words.' }),
    ...level,
  },
  { title: 'WordLevel' },
);
export type WordLevel = Static<typeof WordLevel>;

const TagLevel = Type.Object({ tagID: Key, tagName: text(shortTextLength, 'siren'), ...level }, { title: 'TagLevel' });
export type TagLevel = Static<typeof TagLevel>;

const DayOverview = Type.Object(
  {
    startDate: DateTime,
    endDate: DateTime,
    deviceCount: Type.Integer({ ...Counter, description: 'Devices that you may read.' }),
    clipCount: Counter,
    soundSeconds: Type.Integer({
      ...Counter,
      description: 'The length of these clips, whether their sound is uploaded or not.',
    }),
    isComplete: Type.Boolean({
      examples: [true],
      description: 'False: a device has so many clips that only its newest are counted, and there are more.',
    }),
    hours: Type.Array(OverviewHour, { description: `${overviewHours} hours, the oldest first.` }),
    sampledClipCount: Type.Integer({ ...Counter, description: 'Clips of this day whose words and tags are compared.' }),
    sampledTranscriptCount: Type.Integer({ ...Counter, description: 'Those that have a transcript.' }),
    earlierClipCount: Type.Integer({ ...Counter, description: 'Clips of the seven days before, to compare with.' }),
    earlierTranscriptCount: Type.Integer({ ...Counter, description: 'Those that have a transcript.' }),
    words: Type.Array(WordLevel, { description: 'Words that were said in more clips than usual, the clearest first.' }),
    tags: Type.Array(TagLevel, { description: 'Tags of more clips than usual, the clearest first.' }),
  },
  { title: 'DayOverview' },
);
export type DayOverview = Static<typeof DayOverview>;

const alertKinds = [
  'failedEvents',
  'failedUploads',
  'darkDevices',
  'neverConnected',
  'lowBattery',
  'fullDisk',
  'differentSettings',
] as const;
export type AlertKind = (typeof alertKinds)[number];

const AlertName = Type.Unsafe<AlertKind>({
  ...oneOf(...alertKinds),
  description:
    '`failedEvents`: events that failed or timed out. `failedUploads`: clips. All others are about devices. ' +
    `\`darkDevices\`: offline for ${darkAfterMinutes} minutes, or for ${silentAfterHours} hours if the device is online ` +
    'now and then only. `neverConnected`: without contact and clips a day after they were added. `lowBattery`: below ' +
    `${lowBatteryPercent} %. \`fullDisk\`: more than ${fullDiskPercent} % used. \`differentSettings\`: wanted values ` +
    'that the device has not reported within an hour.',
});

const Alert = Type.Object(
  {
    alert: AlertName,
    keys: Type.Array(Key, { description: 'The events, clips or devices concerned, the newest first.' }),
    deviceIDs: Type.Array(Key),
    deviceNames: Type.Array(text(shortTextLength), { description: 'Of the first few devices.' }),
    eventTypeID: Type.Optional(Key),
    eventType: Type.Optional(text(shortTextLength)),
    eventStatus: Type.Optional(Key),
    result: Type.Optional(
      Type.String({
        description:
          'The start of the result that these events have in common. A number that differs is written as `…`.',
      }),
    ),
    firstDate: Type.Optional(DateTime),
    lastDate: Type.Optional(DateTime),
    newCount: Type.Integer({ ...Counter, description: 'Records that nobody has acknowledged; 0: acknowledged.' }),
    mayChange: Type.Boolean({ description: 'Whether you may change one of the devices, and so acknowledge.' }),
  },
  {
    title: 'Alert',
    description:
      'Equal alerts together: failed events of one type whose results differ at most in numbers, devices whose contact ended within ' +
      'the same minutes.',
  },
);
export type Alert = Static<typeof Alert>;

const recordKeys = Type.Array(Key, { minItems: 1, maxItems: mostAlertRecords, examples: [[1]] });

const AcknowledgeAlert = Type.Object(
  {
    alert: AlertName,
    keys: recordKeys,
    isAcknowledged: Type.Optional(
      Type.Boolean({ examples: [true], description: 'False takes it back; true when missing.' }),
    ),
  },
  { title: 'AcknowledgeAlert' },
);
export type AcknowledgeAlert = Static<typeof AcknowledgeAlert>;

const RecordCount = Type.Object(
  { count: Type.Integer({ ...Counter, description: 'How many records it was done for.' }) },
  { title: 'RecordCount' },
);

export const getDayOverview = operation('overview', {
  method: 'GET',
  path: '/v1/overview/day',
  summary: 'Read what was recorded in the last 24 hours',
  description:
    'Counts clips, and compares words and tags with the seven days before. Words and tags are those of a sample: the ' +
    'newest clips of each device in each hour, and in every six hours of the days before.',
  access: 'caller',
  acts: [],
  answer: DayOverview,
});

export const listAlerts = operation('overview', {
  method: 'GET',
  path: '/v1/overview/alerts',
  summary: 'List alerts of the last 24 hours, equal ones together',
  deprecated: true,
  description: `By fixed limits; \`POST /v1/alert/list\` has the alerts of the rules that are built in, with the limits that admins set. Of each kind at most ${mostAlertRecords} records, the newest. Acknowledged alerts are included, with \`newCount\` 0.`,
  access: 'caller',
  acts: [],
  answer: Type.Array(Alert),
});

export const acknowledgeAlert = operation('overview', {
  method: 'POST',
  path: '/v1/overview/acknowledge',
  repetition: 'harmless',
  summary: 'Acknowledge an alert for everybody',
  description:
    'An alert counts as acknowledged until it concerns further records, for at most 30 days; `lowBattery` and ' +
    '`fullDisk` for a day. Records that do not have this alert, or whose device you may not change, are ignored.',
  access: 'caller',
  acts: [],
  body: AcknowledgeAlert,
  answer: RecordCount,
  trail: 'It hides an alert. The failures stay in the history of events.',
});

export const retryEvents = operation('overview', {
  method: 'POST',
  path: '/v1/overview/retry',
  repetition: 'differs',
  summary: 'Enqueue failed events again, and acknowledge them',
  description:
    'All or none. Each becomes a new event with the same type, parameters, priority, attempts, tags and postback; an ' +
    'expiration is not repeated. Events that have not failed, or whose device you may not change, are ignored.',
  access: 'caller',
  acts: [],
  body: Type.Object({ eventIDs: recordKeys }, { title: 'RetryEvents' }),
  answer: RecordCount,
  trail: ['command-sent'],
});
