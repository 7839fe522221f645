import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { PathKey } from './values.ts';

/** Whether the MQTT broker of the operator gives out the state of a device, for Home Assistant and others. */

const PublicationUpdate = Type.Object(
  {
    isPublished: Type.Boolean({
      examples: [true],
      description:
        'True: everybody who may read the topics of the platform at the broker reads the name of the device, its state, battery, level, last ' +
        'tag, and whether a rule of yours has an open alert. No words. False: the topics are removed.',
    }),
  },
  { title: 'DevicePublicationUpdate' },
);
export type PublicationUpdate = Static<typeof PublicationUpdate>;

const Publication = Type.Object(
  {
    isPublished: Type.Boolean(),
    hasBroker: Type.Boolean({ description: 'Whether the operator has set a broker (`EARSHOT_MQTT_URL`).' }),
  },
  { title: 'DevicePublication' },
);
export type Publication = Static<typeof Publication>;

const ofDevice = {
  path: '/v1/device/{deviceID}/publication',
  params: { deviceID: PathKey },
  answer: Publication,
} as const;

export const getDevicePublication = operation('device', {
  method: 'GET',
  ...ofDevice,
  summary: 'Read whether the state of a device is published over MQTT',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
});

export const setDevicePublication = operation('device', {
  method: 'PUT',
  ...ofDevice,
  summary: 'Set whether the state of a device is published over MQTT',
  description:
    'False at first. It becomes false again when the person who set it may no longer decide about the device. Home Assistant finds the ' +
    'device by itself (MQTT discovery).',
  access: 'caller',
  acts: [{ record: 'device', right: 'own', by: 'params.deviceID' }],
  body: PublicationUpdate,
  trail: ['device-changed'],
});
