import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Sha256 } from './agent-release.ts';
import { operation } from './operation.ts';
import {
  Counter,
  DateTime,
  Key,
  longestIdList,
  longTextLength,
  oneOf,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

const rolloutStates = ['running', 'stopped', 'done', 'takingBack', 'takenBack'] as const;
export type RolloutState = (typeof rolloutStates)[number];

const rolloutDeviceStates = [
  'waiting',
  'sent',
  'done',
  'failed',
  'skipped',
  'backSent',
  'backDone',
  'backFailed',
] as const;
export type RolloutDeviceState = (typeof rolloutDeviceStates)[number];

/** After the first device: the percentages of all devices. */
export const defaultStages: readonly number[] = [10, 50, 100];
const defaultTimeoutSeconds = 3_600;

const Stages = Type.Array(Type.Integer({ minimum: 1, maximum: 100, examples: [10] }), {
  maxItems: 20,
  examples: [[10, 50, 100]],
  description:
    'The first stage is one device. Then each stage reaches this percentage of the devices, rising; the last one is ' +
    `always all of them. Missing: ${defaultStages.join(', ')}.`,
});
const MostFailures = Type.Integer({
  minimum: 0,
  maximum: longestIdList,
  examples: [0],
  description: 'How many devices may fail; with one more the rollout stops. Missing: 0.',
});
const TimeoutSeconds = Type.Integer({
  minimum: 60,
  maximum: 604_800,
  examples: [defaultTimeoutSeconds],
  description:
    'How long a device may take to begin the update, and then to report with the new version. A device that does not ' +
    `begin is skipped: it is not in contact. Missing: ${defaultTimeoutSeconds}.`,
});

const CreateRollout = Type.Object(
  {
    sha256: Type.String({ ...Sha256, description: 'The release, see `/v1/agentrelease/list`.' }),
    deviceGroupID: Type.Optional(
      Type.Integer({
        ...Key,
        examples: [0],
        description: 'All devices of this collection; missing or 0: `deviceIDs`.',
      }),
    ),
    deviceIDs: Type.Optional(Type.Array(Key, { maxItems: longestIdList, examples: [[1]] })),
    stages: Type.Optional(Stages),
    mostFailures: Type.Optional(MostFailures),
    timeoutSeconds: Type.Optional(TimeoutSeconds),
  },
  { title: 'CreateRollout', description: 'The devices by `deviceGroupID` or `deviceIDs`; you must own all of them.' },
);
export type CreateRollout = Static<typeof CreateRollout>;

const RolloutDevice = Type.Object(
  {
    deviceID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    stage: Type.Optional(Type.Integer({ ...Counter, description: 'From 0.' })),
    deviceState: Type.Optional(oneOf(...rolloutDeviceStates)),
    formerVersion: Type.Optional(
      Type.String({ ...text(shortTextLength), description: 'To which the device can be taken back.' }),
    ),
    version: Type.Optional(Type.String({ ...text(shortTextLength), description: 'That the device reports now.' })),
    eventID: Type.Optional(Key),
    reason: Type.Optional(text(longTextLength)),
  },
  { title: 'RolloutDevice' },
);
export type RolloutDevice = Static<typeof RolloutDevice>;

const fields = {
  key: Type.Optional(Key),
  userID: Type.Optional(Key),
  version: Type.Optional(text(shortTextLength)),
  sha256: Type.Optional(Sha256),
  rolloutState: Type.Optional(oneOf(...rolloutStates)),
  reason: Type.Optional(text(longTextLength)),
  stages: Type.Array(Type.Integer(), { description: 'Percentages, without the first stage of one device.' }),
  stage: Type.Optional(Type.Integer({ ...Counter, description: 'The current stage, from 0.' })),
  mostFailures: Type.Optional(Counter),
  timeoutSeconds: Type.Optional(Counter),
  creationDate: Type.Optional(DateTime),
  lastModifiedDate: Type.Optional(DateTime),
};

const DeviceCounts = Type.Object(
  {
    stage: Type.Integer({ minimum: 0, examples: [0] }),
    deviceState: oneOf(...rolloutDeviceStates),
    count: Type.Integer({ minimum: 0, examples: [1] }),
  },
  { title: 'RolloutCount' },
);

const Rollout = Type.Object(
  {
    ...fields,
    counts: Type.Array(DeviceCounts, { description: 'How many devices of each stage are in each state.' }),
  },
  { title: 'Rollout', description: 'A version of the agent on its way to devices, stage by stage.' },
);
export type Rollout = Static<typeof Rollout>;

const RolloutWithDevices = Type.Object(
  { ...Rollout.properties, devices: Type.Array(RolloutDevice) },
  { title: 'RolloutWithDevices' },
);
export type RolloutWithDevices = Static<typeof RolloutWithDevices>;

const params = { rolloutID: PathKey };
const acts = [{ record: 'rollout', right: 'own', by: 'params.rolloutID' }] as const;

export const createRollout = operation('rollout', {
  method: 'POST',
  path: '/v1/rollout',
  repetition: 'differs',
  summary: 'Update devices in stages',
  description:
    'Sends `Update_software` to the devices of a stage, waits until they report with the new version, and continues with ' +
    'the next stage. Stops when more devices fail than allowed. If a device is in another rollout that is running: 409.',
  access: 'caller',
  acts: [{ record: 'device', right: 'own', by: 'body.deviceIDs', hidden: 400 }],
  body: CreateRollout,
  answer: RolloutWithDevices,
  errors: [404, 409],
  trail: ['command-sent'],
});

export const listRollouts = operation('rollout', {
  method: 'GET',
  path: '/v1/rollout/list',
  summary: 'List the rollouts, newest first',
  description: 'Your own, at most 100; an admin sees all.',
  access: 'caller',
  acts: [],
  lists: 'rollout',
  answer: Type.Array(Rollout),
});

export const getRollout = operation('rollout', {
  method: 'GET',
  path: '/v1/rollout/{rolloutID}',
  summary: 'Read a rollout and its devices',
  access: 'caller',
  acts,
  params,
  answer: RolloutWithDevices,
});

const change = {
  method: 'POST',
  access: 'caller',
  repetition: 'harmless',
  acts,
  params,
  answer: RolloutWithDevices,
  errors: [409],
} as const;

export const stopRollout = operation('rollout', {
  ...change,
  path: '/v1/rollout/{rolloutID}/stop',
  summary: 'Stop a rollout',
  description: 'Updates that no device has taken yet are cancelled. If it has ended: 409.',
  trail: 'It sends nothing to a device. The history of the cancelled events names the person.',
});

export const continueRollout = operation('rollout', {
  ...change,
  path: '/v1/rollout/{rolloutID}/continue',
  summary: 'Continue a stopped rollout',
  description: 'The failures so far are accepted. If it has ended: 409.',
  trail: ['command-sent'],
});

export const takeBackRollout = operation('rollout', {
  ...change,
  path: '/v1/rollout/{rolloutID}/takeback',
  summary: 'Return to the former version',
  description:
    'Sends the former version to every device that got the new one, at once. Devices whose former version this platform ' +
    'has not shipped stay as they are.',
  trail: ['command-sent'],
});
