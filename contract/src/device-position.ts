import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { clearable, DateTime, Key, oneOf, PathKey } from './values.ts';

const Latitude = Type.Number({
  minimum: -90,
  maximum: 90,
  examples: [47.3769],
  description: 'Degrees, north positive.',
});
const Longitude = Type.Number({
  minimum: -180,
  maximum: 180,
  examples: [8.5417],
  description: 'Degrees, east positive.',
});
const Accuracy = Type.Number({ minimum: 0, maximum: 100_000, examples: [12], description: 'Metres.' });

const DevicePosition = Type.Object(
  {
    deviceID: Type.Optional(Key),
    latitude: Type.Optional(Latitude),
    longitude: Type.Optional(Longitude),
    accuracy: Type.Optional(Accuracy),
    source: Type.Optional(oneOf('hand', 'health', 'file')),
    positionDate: Type.Optional(DateTime),
  },
  { title: 'DevicePosition', description: 'Where a device is; without a position, only `deviceID`.' },
);
export type DevicePosition = Static<typeof DevicePosition>;

const DevicePositionUpdate = Type.Object(
  {
    latitude: clearable(Latitude),
    longitude: clearable(Longitude),
    accuracy: Type.Optional(clearable(Accuracy)),
  },
  { title: 'DevicePositionUpdate' },
);
export type DevicePositionUpdate = Static<typeof DevicePositionUpdate>;

const params = { deviceID: PathKey };

export const getDevicePosition = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/position',
  summary: 'Read the position of a device',
  description:
    '`source` says who set it: `hand` a person, `health` a health report of the device, `file` the GUANO metadata of a recording.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  params,
  answer: DevicePosition,
});

export const setDevicePosition = operation('device', {
  method: 'PUT',
  path: '/v1/device/{deviceID}/position',
  summary: 'Set the position of a device by hand',
  description:
    'Health reports do not change a position that was set by hand. `latitude` and `longitude` as `null` remove the position; ' +
    'the next health report with a position sets it again.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params,
  body: DevicePositionUpdate,
  answer: DevicePosition,
  trail: ['device-changed'],
});
