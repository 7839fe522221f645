import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { clearable, DateTime, Key, longTextLength, modifiedFields, PathKey, text, WholeNumber } from './values.ts';

export const APIKey = Type.Object(
  {
    key: Type.Optional(Key),
    userID: Type.Optional(Key),
    appID: Type.Optional(Key),
    aPIKeyDescription: Type.Optional(text(longTextLength)),
    accessKey: Type.Optional(text(64)),
    secretKey: Type.Optional(
      Type.String({ maxLength: 64, description: 'Shown only once, in the response to the creation of the key.' }),
    ),
    status: Type.Optional(Type.Integer({ ...WholeNumber, description: '1 active; 0 its owner is disabled.' })),
    lastAccessDate: Type.Optional(DateTime),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'APIKey' },
);
export type APIKey = Static<typeof APIKey>;

const writeOnlyMeaning =
  'A write-only key announces, uploads, reports, takes events and reads settings. It reads no clips, sound, captions, ' +
  'tags or live changes, tags no clips, and only sets fields with a patch.';

const DeviceKey = Type.Object(
  {
    ...APIKey.properties,
    isWriteOnly: Type.Boolean({ examples: [true], description: writeOnlyMeaning }),
  },
  { title: 'DeviceKey', description: 'An API key of one device.' },
);
export type DeviceKey = Static<typeof DeviceKey>;

const CreateDeviceKey = Type.Object(
  { isWriteOnly: Type.Optional(Type.Boolean({ examples: [true], description: 'False when missing.' })) },
  { title: 'CreateDeviceKey' },
);

const APIKeyUpdate = Type.Object(
  { aPIKeyDescription: Type.Optional(clearable(text(longTextLength, 'Nightly export'))) },
  { title: 'APIKeyUpdate' },
);

const params = { apiKeyID: PathKey };

export const createApiKey = operation('apikey', {
  method: 'POST',
  path: '/v1/apikey',
  repetition: 'secret',
  summary: 'Create an API key for yourself',
  description: 'Only this response contains the secret.',
  access: 'session',
  acts: [],
  answer: APIKey,
  trail: ['key-created'],
});

export const getApiKey = operation('apikey', {
  method: 'GET',
  path: '/v1/apikey/{apiKeyID}',
  summary: 'Read an API key',
  access: 'session',
  acts: [{ record: 'apikey', right: 'own', by: 'params.apiKeyID' }],
  params,
  answer: APIKey,
});

export const updateApiKey = operation('apikey', {
  method: 'PUT',
  path: '/v1/apikey/{apiKeyID}',
  summary: 'Change the description of an API key',
  description: 'Only `aPIKeyDescription` is updated.',
  access: 'session',
  acts: [{ record: 'apikey', right: 'own', by: 'params.apiKeyID' }],
  params,
  body: APIKeyUpdate,
  trail: 'It changes only the description of the key.',
});

export const deleteApiKey = operation('apikey', {
  method: 'DELETE',
  path: '/v1/apikey/{apiKeyID}',
  summary: 'Delete an API key',
  description: 'After the response, no node accepts the key any more.',
  access: 'session',
  acts: [{ record: 'apikey', right: 'own', by: 'params.apiKeyID' }],
  params,
  trail: ['key-removed'],
});

export const listApiKeys = operation('apikey', {
  method: 'GET',
  path: '/v1/apikey/list',
  summary: 'List your API keys',
  description: 'Your own keys and those of your devices; an admin sees all. Newest first.',
  access: 'session',
  acts: [],
  lists: 'apikey',
  answer: Type.Array(APIKey),
});

export const createDeviceKey = operation('device', {
  method: 'POST',
  path: '/v1/device/{deviceID}/apikey',
  repetition: 'secret',
  summary: 'Create an API key for one device',
  description:
    'The key may only call the operations that an agent of that device needs. ' +
    `${writeOnlyMeaning} Only this response contains the secret.`,
  access: 'session',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  body: CreateDeviceKey,
  bodyOptional: true,
  answer: APIKey,
  trail: ['key-created'],
});

export const listDeviceKeys = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/apikey/list',
  summary: 'List the API keys of one device',
  description: 'The keys that you may manage, newest first.',
  access: 'session',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  lists: 'apikey',
  params: { deviceID: PathKey },
  answer: Type.Array(DeviceKey),
});

export const makeKeyWriteOnly = operation('apikey', {
  method: 'POST',
  path: '/v1/apikey/{apiKeyID}/writeonly',
  repetition: 'harmless',
  summary: 'Make the key of a device write-only',
  description:
    `${writeOnlyMeaning} After the response, no node lets the key read, and its open streams have ended. There is no way ` +
    'back: create a new key for a program that must read. A key that is write-only already: 200. A key that is not one ' +
    'of a device: 409.',
  access: 'session',
  acts: [{ record: 'apikey', right: 'own', by: 'params.apiKeyID' }],
  params,
  errors: [409],
  trail: ['key-changed'],
});
