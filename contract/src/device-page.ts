import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { mostRowsCounted, pageFields, pageManner, pageRequest, searchField } from './sorted-page.ts';
import {
  Counter,
  DateTime,
  DeviceIDList,
  Key,
  longestIdList,
  longTextLength,
  oneOf,
  shortTextLength,
  text,
} from './values.ts';

/** Devices as a table shows them: sorted, filtered, with what is known of each. */

/** A recorder without contact counts as one that sends recordings if one has arrived within this time. */
export const sendsWithinHours = 24;

export const deviceStates = ['online', 'sendsRecordings', 'silent', 'neverHeard'] as const;
export type DeviceStateName = (typeof deviceStates)[number];

const stateMeaning =
  '`online`: an agent has contact. `sendsRecordings`: no agent has contact, and a recording has arrived within ' +
  `${sendsWithinHours} hours and after the last contact. \`silent\`: neither, but it had contact or has recordings. ` +
  '`neverHeard`: it never had contact and has no recordings.';

export const DeviceStateName = Type.Unsafe<DeviceStateName>({ ...oneOf(...deviceStates), description: stateMeaning });

/** What a list of devices can be sorted by. Devices without the value come last. */
export const deviceSorts = [
  'deviceName',
  'creationDate',
  'lastContactDate',
  'lastSoundDate',
  'clipsToday',
  'batteryPercent',
  'diskUsedPercent',
  'clockErrorSeconds',
  'softwareVersion',
] as const;
export type DeviceSort = (typeof deviceSorts)[number];

const Percent = Type.Number({ minimum: 0, maximum: 100, examples: [20] });

/** Which devices of a list. */
export const deviceConditions = {
  searchText: searchField('devices whose name, serial or description contains this text'),
  deviceIDList: Type.Optional(DeviceIDList),
  stateList: Type.Optional(
    Type.Array(DeviceStateName, {
      maxItems: deviceStates.length,
      examples: [[]],
      description: 'Missing or empty: all.',
    }),
  ),
  collectionIDList: Type.Optional(
    Type.Array(Key, {
      maxItems: longestIdList,
      examples: [[]],
      description: 'Only devices in one of these collections; those that you may not read match nothing.',
    }),
  ),
  softwareVersion: Type.Optional(
    Type.String({
      maxLength: shortTextLength,
      examples: [],
      description: 'Only devices with this version of an agent.',
    }),
  ),
  mostBatteryPercent: Type.Optional(
    Type.Number({ ...Percent, examples: [], description: 'Only devices whose battery reported this charge or less.' }),
  ),
  leastDiskUsedPercent: Type.Optional(
    Type.Number({ ...Percent, examples: [], description: 'Only devices whose disk is filled to this share or more.' }),
  ),
};

const DevicePageFilter = Type.Object(
  {
    ...deviceConditions,
    ...pageRequest(
      deviceSorts,
      'Devices without the value come last. While devices are online, their last contact is the same; ' +
        '`clockErrorSeconds` is compared without its sign.',
    ),
    withStates: Type.Optional(
      Type.Boolean({
        examples: [false],
        description: 'Adds `stateCounts`: the devices in each state, whatever `stateList` is.',
      }),
    ),
  },
  { title: 'DevicePageFilter' },
);
export type DevicePageFilter = Static<typeof DevicePageFilter>;

/** Of the collections of a device, at most so many are named. */
export const mostNamedCollections = 20;

export const CollectionName = Type.Object(
  { collectionID: Key, collectionName: text(shortTextLength, 'Harbour') },
  { title: 'CollectionName' },
);

export const DeviceRow = Type.Object(
  {
    key: Key,
    userID: Key,
    deviceName: text(shortTextLength),
    deviceSerial: text(64),
    deviceDescription: Type.Optional(text(longTextLength)),
    timeZone: text(64),
    state: DeviceStateName,
    lastContactDate: Type.Optional(DateTime),
    lastSoundDate: Type.Optional(
      Type.String({ ...DateTime, description: 'The start of its newest clip, whether its sound is uploaded or not.' }),
    ),
    clipsToday: Type.Integer({
      ...Counter,
      description: `Clips that began today in the time zone of the device; counted to ${mostRowsCounted.toLocaleString('en')}.`,
    }),
    batteryPercent: Type.Optional(Type.Number()),
    diskUsedPercent: Type.Optional(Type.Number()),
    clockErrorSeconds: Type.Optional(
      Type.Number({
        examples: [-2.5],
        description:
          'How far the time in its latest health report is from the time of arrival; positive: its clock is ahead. ' +
          'Missing if the report names no time.',
      }),
    ),
    softwareVersion: Type.Optional(
      Type.String({ ...text(shortTextLength), description: 'Of the agent that had contact last.' }),
    ),
    collections: Type.Array(CollectionName, {
      description: `Those that you may read and that contain it, by name, at most ${mostNamedCollections}.`,
    }),
    mayWrite: Type.Boolean({ description: 'Whether you may change the device, and send it events.' }),
    mayOwn: Type.Boolean({ description: 'Whether you may remove it or give it away.' }),
    creationDate: DateTime,
  },
  { title: 'DeviceRow', description: 'A device as a table shows it.' },
);
export type DeviceRow = Static<typeof DeviceRow>;

const StateCount = Type.Object({ state: DeviceStateName, count: Counter }, { title: 'DeviceStateCount' });
export type DeviceStateCount = Static<typeof StateCount>;

const PageOfDevices = Type.Object(
  { results: Type.Array(DeviceRow), ...pageFields, stateCounts: Type.Optional(Type.Array(StateCount)) },
  { title: 'PageOfDevices' },
);
export type PageOfDevices = Static<typeof PageOfDevices>;

export const listDevicePage = operation('device', {
  method: 'POST',
  path: '/v1/device/page',
  summary: 'List devices page by page, sorted and filtered',
  description:
    `With what a table of devices shows: state, contact, sound, health, collections. ${pageManner} ` +
    'What a change of a device, a clip or a health report means for its row and its ' +
    'place in the list is there within a few seconds.',
  access: 'caller',
  acts: [],
  lists: 'device',
  body: DevicePageFilter,
  answer: PageOfDevices,
  trail: readsOnly,
});
