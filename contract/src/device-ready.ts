import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Device } from './device.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { clearable, Counter, DateTime, Key, oneOf, PathKey, shortTextLength, text } from './values.ts';

/** A device that has started says that it is ready to work; a preset may then be run for it. */

const DeviceReadiness = Type.Object(
  {
    deviceID: Type.Optional(Key),
    readyDate: Type.Optional(Type.String({ ...DateTime, description: 'When the device last said that it is ready.' })),
    version: Type.Optional(Type.String({ maxLength: shortTextLength, description: 'The version that it named.' })),
    eventPresetID: Type.Optional(
      Type.Integer({ ...Key, description: 'The preset that is run when the device becomes ready.' }),
    ),
  },
  { title: 'DeviceReadiness' },
);
export type DeviceReadiness = Static<typeof DeviceReadiness>;

const ReportReady = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    agentType: Type.Optional(text(shortTextLength, 'Device')),
    agentVersion: Type.Optional(text(shortTextLength, '1.4.0')),
    agentIndex: Type.Optional(Counter),
    processID: Type.Optional(Type.Integer({ ...Counter, examples: [4711] })),
  },
  { title: 'ReportReady' },
);
export type ReportReady = Static<typeof ReportReady>;

const DeviceReadinessUpdate = Type.Object(
  {
    eventPresetID: clearable(
      Type.Integer({
        ...Key,
        description: 'A preset of the device, or of a collection that contains it; `null`: none.',
      }),
    ),
  },
  { title: 'DeviceReadinessUpdate' },
);

const params = { deviceID: PathKey };

export const reportDeviceReady = operation('device', {
  method: 'POST',
  path: '/v1/device/ready',
  headers: onceHeaders,
  summary: 'Report that a device has started and is ready',
  description:
    'The device is found by its serial, else by its name; a name that no device has is also tried as a serial. ' +
    'Each report enqueues the events of the ready preset of the device, if one is set and still applies to the device. ' +
    'The agent fields are those of `POST /v1/agent`; they are optional, and no agent is registered.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial' }],
  body: ReportReady,
  answer: Device,
  errors: [409],
  trail: 'A device reports about itself.',
});

export const getDeviceReadiness = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/ready',
  summary: 'Read when a device became ready, and its ready preset',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  params,
  answer: DeviceReadiness,
});

export const setReadyPreset = operation('device', {
  method: 'PUT',
  path: '/v1/device/{deviceID}/ready',
  summary: 'Choose the preset that is run when a device becomes ready',
  description: 'A preset of `Update_software` or `Reboot` is refused (409): only a person may send these.',
  access: 'caller',
  acts: [
    { record: 'device', right: 'write', by: 'params.deviceID' },
    { record: 'eventpreset', right: 'read', by: 'body.eventPresetID' },
  ],
  params,
  body: DeviceReadinessUpdate,
  answer: DeviceReadiness,
  errors: [409],
  trail: 'It chooses what is sent to the device when it starts. What is sent is in the history of events.',
});

const DeviceState = Type.Unsafe<'online' | 'offline'>({
  ...oneOf('online', 'offline'),
  description: 'Both mean the ready preset: a device has one, which it gets when it reports that it is ready.',
});

const StartupTarget = Type.Object(
  {
    deviceID: Type.Optional(
      Type.Integer({ ...Key, description: 'Missing or 0: the device or group that the preset is for.' }),
    ),
    deviceGroupID: Type.Optional(
      Type.Integer({
        ...Key,
        examples: [0],
        description: 'All devices of this group; then `deviceID` is ignored. 0: none.',
      }),
    ),
  },
  { title: 'StartupTarget' },
);
export type StartupTarget = Static<typeof StartupTarget>;

export const setStartupPreset = operation('eventpreset', {
  method: 'POST',
  path: '/v1/eventpreset/startupevent/{deviceState}/{eventPresetID}',
  repetition: 'harmless',
  summary: 'Choose the ready preset of a device, or of the devices of a group',
  description:
    'As the field SDK sends it; see `PUT /v1/device/{deviceID}/ready`. All devices or none: write access to each is ' +
    'required. Nothing is enqueued.',
  access: 'caller',
  acts: [
    { record: 'eventpreset', right: 'read', by: 'params.eventPresetID' },
    { record: 'device', right: 'write', by: 'body.deviceID' },
  ],
  params: { deviceState: DeviceState, eventPresetID: PathKey },
  body: StartupTarget,
  bodyOptional: true,
  errors: [409],
  trail: 'It chooses what is sent to the devices when they start. What is sent is in the history of events.',
});

export const clearStartupPreset = operation('eventpreset', {
  method: 'DELETE',
  path: '/v1/eventpreset/startupevent/{deviceState}/device/{deviceID}',
  summary: 'Let a device have no ready preset',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceState: DeviceState, deviceID: PathKey },
  trail: 'It chooses what is sent to the device when it starts. What is sent is in the history of events.',
});
