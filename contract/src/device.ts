import type { Static } from 'typebox';
import { Type } from 'typebox';
import { captionProfiles } from './caption-profile.ts';
import { operation, readsOnly } from './operation.ts';
import {
  clearable,
  Count,
  DateTime,
  filledText,
  Key,
  largestCount,
  largestInteger,
  longTextLength,
  modifiedFields,
  oneOf,
  Order,
  PathKey,
  shortTextLength,
  text,
  TimeZone,
} from './values.ts';

/** Serials that are refused because they are also path segments: `/v1/audioclip/{deviceSerial}` and similar paths. */
export const reservedSerials = [
  'list',
  'upload',
  'concatenate',
  'createlist',
  'extract',
  'devices',
  'coverage',
  'export',
] as const;

export const serialLength = 64;

export const DeviceSerial = Type.String({
  minLength: 1,
  maxLength: serialLength,
  pattern: `^(?!(${reservedSerials.join('|')})$)[A-Za-z0-9._-]+$`,
  examples: ['recorder-17'],
  description:
    `1 to ${serialLength} letters, digits, \`.\`, \`_\` or \`-\`, one device in the whole service, ` +
    `and none of the words ${reservedSerials.join(', ')}.`,
});

const largestRetentionDays = 36_500;
const DeviceName = filledText(shortTextLength, 'North gate');
const Description = text(longTextLength, 'Under the eaves, facing the road');
const RetentionDays = Type.Integer({
  minimum: 1,
  maximum: largestRetentionDays,
  examples: [90],
  description: 'Days after which its files are removed; not set: never.',
});
const AutoCaption = Type.Boolean({
  examples: [true],
  description: 'Whether every clip that becomes available is captioned.',
});

const CaptionProfileName = Type.Unsafe<(typeof captionProfiles)[number]>({
  ...oneOf(...captionProfiles),
  description:
    'The profile that transcribes its clips; not set: that of the installation. `accurate` takes three times as long.',
});

const IsRadio = Type.Boolean({
  description:
    'Whether it records radio, also if its clips do not come from a recorder of radio calls. What the fast profile stays ' +
    'unsure about in such sound is transcribed once more by the accurate model, unless the server has too little memory ' +
    'for that or its operator forbids it (`EARSHOT_THIRD_LISTEN`). False when missing.',
});

const ClearableProfile = Type.Unsafe<Static<typeof CaptionProfileName> | null>({
  ...CaptionProfileName,
  type: ['string', 'null'],
  enum: [...captionProfiles, null],
});

export const Device = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(64)),
    serialNumber: Type.Optional(Type.String({ ...text(64), description: 'The same as `deviceSerial`.' })),
    deviceDescription: Type.Optional(text(longTextLength)),
    timeZone: Type.Optional(text(64)),
    retentionDays: Type.Optional(RetentionDays),
    autoCaption: Type.Optional(Type.Boolean()),
    captionEngine: Type.Optional(CaptionProfileName),
    isRadio: Type.Optional(IsRadio),
    lastHeardFromDate: Type.Optional(DateTime),
    online: Type.Optional(Type.Boolean()),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'Device', description: 'A recorder in the field.' },
);
export type Device = Static<typeof Device>;

export const CreateDevice = Type.Object(
  {
    deviceSerial: DeviceSerial,
    deviceName: Type.Optional(Type.String({ ...DeviceName, description: 'The serial, when missing.' })),
    deviceDescription: Type.Optional(clearable(Description)),
    timeZone: Type.Optional(Type.String({ ...TimeZone, description: 'UTC when missing.' })),
    retentionDays: Type.Optional(clearable(RetentionDays)),
    autoCaption: Type.Optional(AutoCaption),
    captionEngine: Type.Optional(ClearableProfile),
    isRadio: Type.Optional(IsRadio),
  },
  { title: 'CreateDevice', description: '`serialNumber` is read as `deviceSerial`.' },
);
export type CreateDevice = Static<typeof CreateDevice>;

export const DeviceUpdate = Type.Object(
  {
    deviceName: Type.Optional(DeviceName),
    deviceSerial: Type.Optional(DeviceSerial),
    deviceDescription: Type.Optional(clearable(Description)),
    timeZone: Type.Optional(TimeZone),
    retentionDays: Type.Optional(clearable(RetentionDays)),
    autoCaption: Type.Optional(AutoCaption),
    captionEngine: Type.Optional(ClearableProfile),
    isRadio: Type.Optional(IsRadio),
    userID: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: largestInteger,
        description: 'Transfers the device to another owner; only its owner or an admin may do this.',
      }),
    ),
  },
  { title: 'DeviceUpdate', description: '`serialNumber` is read as `deviceSerial`.' },
);
export type DeviceUpdate = Static<typeof DeviceUpdate>;

const DeviceFilter = Type.Object(
  {
    searchText: Type.Optional(
      Type.String({
        maxLength: shortTextLength,
        examples: [''],
        description: 'Part of the name, serial or description; case is ignored.',
      }),
    ),
    online: Type.Optional(Type.Boolean()),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [0] })),
    count: Type.Optional(Count),
    order: Type.Optional(Order),
  },
  { title: 'DeviceFilter' },
);
export type DeviceFilter = Static<typeof DeviceFilter>;

const DeviceByName = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
  },
  { title: 'DeviceByName', description: 'Either field; a name is tried as a serial first.' },
);

const params = { deviceID: PathKey };

export const createDevice = operation('device', {
  method: 'POST',
  path: '/v1/device',
  repetition: 'differs',
  summary: 'Add a device',
  access: 'caller',
  acts: [],
  body: CreateDevice,
  answer: Device,
  errors: [409],
  trail: 'A new device has no recordings. What is done with it later is recorded.',
});

export const getDevice = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}',
  summary: 'Read a device',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  params,
  answer: Device,
});

export const updateDevice = operation('device', {
  method: 'PUT',
  path: '/v1/device/{deviceID}',
  summary: 'Change a device',
  description: 'Sets the fields that are present; `null` clears a field, missing fields stay unchanged.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params,
  body: DeviceUpdate,
  errors: [409],
  trail: ['device-changed'],
});

export const setDeviceAnalytics = operation('device', {
  method: 'POST',
  path: '/v1/device/{deviceID}/runanalytics/{runAnalytics}',
  repetition: 'harmless',
  summary: 'Switch the automatic captions of a device on or off',
  description:
    'The same as `autoCaption` of `PUT /v1/device/{deviceID}`, as the field SDK sends it. No event is enqueued.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: {
    ...params,
    runAnalytics: Type.Unsafe<0 | 1>({
      type: 'integer',
      enum: [0, 1],
      examples: [1],
      description: '1: on, 0: off.',
    }),
  },
  trail: ['device-changed'],
});

export const deleteDevice = operation('device', {
  method: 'DELETE',
  path: '/v1/device/{deviceID}',
  summary: 'Remove a device and everything that belongs to it',
  description: 'If a clip of the device is locked: 409, and nothing is removed.',
  access: 'caller',
  acts: [{ record: 'device', right: 'own', by: 'params.deviceID' }],
  params,
  errors: [409],
  trail: ['device-removed', 'version-removed'],
});

export const mergeDevice = operation('device', {
  method: 'POST',
  path: '/v1/device/{deviceID}/merge',
  repetition: 'differs',
  summary: 'Give everything that a device recorded to another one, and remove it',
  description:
    'For a device that was made by mistake. Its clips with their sound, captions, tags and radio facts, its files, and ' +
    'the upload keys that send to it move to the other device. Its agents, events, settings, health and log are ' +
    'removed with it. If both have a clip of the same type, start and talkgroup, if a clip of the ' +
    'device is locked, or if both are the same device: 409, and nothing is changed.',
  access: 'caller',
  acts: [
    { record: 'device', right: 'own', by: 'params.deviceID' },
    { record: 'device', right: 'own', by: 'body.intoDeviceID' },
  ],
  params,
  body: Type.Object({ intoDeviceID: Key }, { title: 'MergeDevice' }),
  answer: Device,
  errors: [409],
  trail: ['device-merged', 'device-removed'],
});

export const listDevices = operation('device', {
  method: 'POST',
  path: '/v1/device/list',
  summary: 'List devices by their creation',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  lists: 'device',
  body: DeviceFilter,
  answer: Type.Array(Device),
  trail: readsOnly,
});

export const listOwnDevices = operation('device', {
  method: 'GET',
  path: '/v1/device/list',
  summary: 'List your own devices by their creation',
  description: `The newest first, at most ${largestCount}. A device key lists its one device.`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [],
  answer: Type.Array(Device),
});

export const findDeviceByName = operation('device', {
  method: 'POST',
  path: '/v1/device/name',
  summary: 'Find a device by its serial, then by its name',
  description: 'If several devices have the name: 409.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceSerial' }],
  body: DeviceByName,
  answer: Device,
  errors: [409],
  trail: readsOnly,
});
