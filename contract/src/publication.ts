import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { freeEventTypes } from './rule-allowance.ts';
import { Key, oneOf, PathKey, shortTextLength, text } from './values.ts';

/** Whether the MQTT broker of the operator gives out the state of a device, and takes commands for it, for Home Assistant and others. */

export const mostCommands = 20;

const PublicationUpdate = Type.Object(
  {
    isPublished: Type.Boolean({
      examples: [true],
      description:
        'True: everybody who may read the topics of the platform at the broker reads the name of the device, its state, battery, level, last ' +
        'tag, whether a rule of yours has an open alert, and the names of its commands. No words. False: the topics are removed.',
    }),
    eventPresetIDs: Type.Optional(
      Type.Array(Key, {
        maxItems: mostCommands,
        examples: [[]],
        description:
          'Presets that everybody who may write to the topics of the platform at the broker runs on the device, with your rights. Missing: ' +
          'those that you named before.',
      }),
    ),
  },
  { title: 'DevicePublicationUpdate' },
);
export type PublicationUpdate = Static<typeof PublicationUpdate>;

export const commandStates = ['ready', 'waiting', 'changed', 'lost'] as const;
export type CommandState = (typeof commandStates)[number];

const DeviceCommand = Type.Object(
  {
    eventPresetID: Type.Optional(Key),
    eventPresetName: Type.Optional(text(shortTextLength)),
    eventType: Type.Optional(text(shortTextLength)),
    eventParameters: Type.Optional(Type.String()),
    contentHash: Type.Optional(
      Type.String({
        description: 'The SHA-256 of type and parameters as they are now: what is allowed is exactly this.',
      }),
    ),
    state: Type.Optional(
      Type.Unsafe<CommandState>({
        ...oneOf(...commandStates),
        description:
          'Only `ready` has a button. `waiting`: an admin must allow it. `changed`: the preset was changed after that. `lost`: the person ' +
          'who publishes the device may not run it there any more.',
      }),
    ),
    allowedBy: Type.Optional(Key),
  },
  { title: 'DeviceCommand', description: 'A preset that a button over MQTT runs on the device.' },
);
export type DeviceCommand = Static<typeof DeviceCommand>;

const Publication = Type.Object(
  {
    isPublished: Type.Boolean(),
    hasBroker: Type.Boolean({ description: 'Whether the operator has set a broker (`EARSHOT_MQTT_URL`).' }),
    commands: Type.Array(DeviceCommand, { description: 'Those whose presets you may read.' }),
  },
  { title: 'DevicePublication' },
);
export type Publication = Static<typeof Publication>;

const AllowedCommand = Type.Object(
  {
    contentHash: Type.String({
      pattern: '^[0-9a-f]{64}$',
      examples: ['6974866cd7ee529b5920c29814b1d72604c364ac2839828b515001d67082f1a8'],
      description: 'Of the command, as you have read it.',
    }),
  },
  { title: 'AllowedCommand' },
);
export type AllowedCommand = Static<typeof AllowedCommand>;

const ofDevice = {
  path: '/v1/device/{deviceID}/publication',
  params: { deviceID: PathKey },
  answer: Publication,
} as const;
const owns = [{ record: 'device', right: 'own', by: 'params.deviceID' }] as const;

export const getDevicePublication = operation('device', {
  method: 'GET',
  ...ofDevice,
  summary: 'Read whether the state of a device is published over MQTT, and its commands',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
});

export const setDevicePublication = operation('device', {
  method: 'PUT',
  ...ofDevice,
  summary: 'Set whether the state of a device is published over MQTT, and its commands',
  description:
    'False at first. It becomes false again when the person who set it may no longer decide about the device. Home Assistant finds the ' +
    'device by itself (MQTT discovery), with a button for each command. Presets of the types ' +
    `${freeEventTypes.map((name) => `\`${name}\``).join(', ')} are commands at once; others when an admin allows them, or names them.`,
  access: 'caller',
  acts: owns,
  body: PublicationUpdate,
  trail: ['device-changed'],
});

export const allowDeviceCommand = operation('device', {
  method: 'PUT',
  ...ofDevice,
  path: '/v1/device/{deviceID}/publication/allowance',
  summary: 'Allow a command of a device',
  description:
    'Of presets that have exactly this content. If none of the commands of the device has it, because it was changed: 412.',
  access: 'admin',
  acts: owns,
  body: AllowedCommand,
  errors: [412],
  trail: ['command-allowed'],
});
