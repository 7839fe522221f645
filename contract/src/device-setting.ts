import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { DateTime, Key, modifiedFields, PathKey, shortTextLength, text } from './values.ts';

/** Named values that people want on a device, and that the device reports. */

export const settingValueLength = 16_384;
export const mostSettings = 1_000;

const DeviceSetting = Type.Object(
  {
    key: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    settingName: Type.Optional(text(shortTextLength)),
    settingValue: Type.Optional(
      Type.String({ description: 'The value that is wanted; without one, the value that the device reported.' }),
    ),
    wantedValue: Type.Optional(Type.String()),
    reportedValue: Type.Optional(Type.String()),
    isDifferent: Type.Optional(
      Type.Boolean({ description: 'Whether a value is wanted that the device has not reported.' }),
    ),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'DeviceSetting' },
);
export type DeviceSetting = Static<typeof DeviceSetting>;

const SettingName = Type.String({ maxLength: shortTextLength, examples: ['volume'] });

const SettingValue = Type.Unsafe<string | number | boolean | null>({
  type: ['string', 'number', 'boolean', 'null'],
  maxLength: settingValueLength,
  examples: ['75'],
  description: 'A number, `true` or `false` is stored as text; `null` removes the value.',
});

/** Also of a person's settings. */
export const SettingUpdate = Type.Object(
  {
    settingName: Type.Optional(SettingName),
    name: Type.Optional(Type.String({ ...SettingName, description: 'The same as `settingName`.' })),
    settingValue: Type.Optional(SettingValue),
    value: Type.Optional(
      Type.Unsafe<string | number | boolean | null>({
        ...SettingValue,
        description: 'The same as `settingValue`, which counts if both are present.',
      }),
    ),
  },
  { title: 'DeviceSettingUpdate' },
);
export type DeviceSettingUpdate = Static<typeof SettingUpdate>;

const params = { deviceID: PathKey };
export const settingNameQuery = {
  setting_name: Type.Optional(
    Type.String({ ...SettingName, description: 'The name of the setting, matched exactly.' }),
  ),
  settingname: Type.Optional(Type.String({ ...SettingName, description: 'The same as `setting_name`.' })),
};
const readsDevice = [{ record: 'device', right: 'read', by: 'params.deviceID' }] as const;
const writesDevice = [{ record: 'device', right: 'write', by: 'params.deviceID' }] as const;

export const listDeviceSettings = operation('devicesetting', {
  method: 'GET',
  path: '/v1/devicesetting/device/{deviceID}/list',
  summary: 'List the settings of a device by their names',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: readsDevice,
  params,
  answer: Type.Array(DeviceSetting),
});

export const getDeviceSetting = operation('devicesetting', {
  method: 'GET',
  path: '/v1/devicesetting/device/{deviceID}',
  summary: 'Read one setting of a device',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: readsDevice,
  params,
  query: settingNameQuery,
  answer: DeviceSetting,
});

export const putDeviceSetting = operation('devicesetting', {
  method: 'PUT',
  path: '/v1/devicesetting/device/{deviceID}',
  summary: 'Set one setting of a device',
  description:
    'With a device key, stores the value that the device reports; with any other credential, the value that is wanted. ' +
    `The name is in the query or in the body. A device has at most ${mostSettings} settings (409).`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: writesDevice,
  params,
  query: {
    ...settingNameQuery,
    local: Type.Optional(
      Type.Boolean({
        description:
          'Also enqueues an `Update_setting` event for the device, with `settingName` and `settingValue` as parameters. ' +
          'Not available to a device key (403).',
      }),
    ),
  },
  body: SettingUpdate,
  errors: [409],
  trail: ['setting-changed'],
});

export const deleteDeviceSetting = operation('devicesetting', {
  method: 'DELETE',
  path: '/v1/devicesetting/device/{deviceID}',
  summary: 'Remove one setting of a device',
  description: 'With a device key, removes only the value that the device reported.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: writesDevice,
  params,
  query: settingNameQuery,
  trail: ['setting-changed'],
});
