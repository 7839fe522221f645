import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { PathKey } from './values.ts';

/** Whether messages that leave the platform may name a device and what is said there. */

const Disclosure = Type.Object(
  {
    isDisclosed: Type.Boolean({
      examples: [true],
      description:
        'True: messages to shared channels and outside addresses name the device, and have words if their rule says so. Else ' +
        'they have the rule and the time alone.',
    }),
  },
  { title: 'DeviceDisclosure', description: 'Words that have left the platform are beyond deletion.' },
);
export type Disclosure = Static<typeof Disclosure>;

const ofDevice = {
  path: '/v1/device/{deviceID}/disclosure',
  params: { deviceID: PathKey },
  answer: Disclosure,
} as const;

export const getDeviceDisclosure = operation('device', {
  method: 'GET',
  ...ofDevice,
  summary: 'Read whether messages that leave the platform may name a device',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
});

export const setDeviceDisclosure = operation('device', {
  method: 'PUT',
  ...ofDevice,
  summary: 'Set whether messages that leave the platform may name a device',
  description:
    'False at first. Messages to a person of the platform do not need it: they follow what that person may read.',
  access: 'caller',
  acts: [{ record: 'device', right: 'own', by: 'params.deviceID' }],
  body: Disclosure,
  trail: ['device-changed'],
});
