import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { clearable, DateTime, Key, longTextLength, PathKey, text, WholeNumber } from './values.ts';

/** Keys for recorders that have one field for a key. */

/** How many devices one key may create. */
export const mostKeyDevices = 1_000;
export const longestGraceDays = 7;

const Transcribe = Type.Boolean({
  examples: [false],
  description:
    'Whether the key may also request transcripts with `POST /v1/audio/transcriptions`. It does not govern whether ' +
    'uploaded recordings are transcribed: that is a setting of their device.',
});

export const UploadKey = Type.Object(
  {
    key: Type.Optional(Key),
    uploadKeyDescription: Type.Optional(text(longTextLength)),
    transcribe: Type.Optional(Transcribe),
    secret: Type.Optional(
      Type.String({ maxLength: 64, description: 'Only in the response that creates or replaces it.' }),
    ),
    status: Type.Optional(Type.Integer({ ...WholeNumber, description: '1 active; 0 its owner is disabled.' })),
    lastAccessDate: Type.Optional(DateTime),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'UploadKey', description: 'One secret text with which recorders upload.' },
);
export type UploadKey = Static<typeof UploadKey>;

const Description = text(longTextLength, 'Scanner in the attic');

const CreateUploadKey = Type.Object(
  { uploadKeyDescription: Type.Optional(Description), transcribe: Type.Optional(Transcribe) },
  { title: 'CreateUploadKey' },
);
export type CreateUploadKey = Static<typeof CreateUploadKey>;

const UploadKeyUpdate = Type.Object(
  { uploadKeyDescription: Type.Optional(clearable(Description)), transcribe: Type.Optional(Transcribe) },
  { title: 'UploadKeyUpdate' },
);
export type UploadKeyUpdate = Static<typeof UploadKeyUpdate>;

const NewSecret = Type.Object(
  {
    graceDays: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestGraceDays,
        examples: [1],
        description: 'How many days the former secret is still accepted; 0 when missing.',
      }),
    ),
  },
  { title: 'NewUploadSecret' },
);

const params = { uploadKeyID: PathKey };
const acts = [{ record: 'uploadkey', right: 'own', by: 'params.uploadKeyID' }] as const;

export const createUploadKey = operation('uploadkey', {
  method: 'POST',
  path: '/v1/uploadkey',
  repetition: 'secret',
  summary: 'Create an upload key for yourself',
  description:
    'For recorders that have one field for a key. It may create devices, and upload clips for those that it created: ' +
    `at most ${mostKeyDevices.toLocaleString('en')} devices. Only this response contains the secret.`,
  access: 'session',
  acts: [],
  body: CreateUploadKey,
  bodyOptional: true,
  answer: UploadKey,
  trail: ['upload-key-created'],
});

export const listUploadKeys = operation('uploadkey', {
  method: 'GET',
  path: '/v1/uploadkey/list',
  summary: 'List your upload keys',
  description: 'Your own keys, newest first; an admin sees all.',
  access: 'session',
  acts: [],
  lists: 'uploadkey',
  answer: Type.Array(UploadKey),
});

export const updateUploadKey = operation('uploadkey', {
  method: 'PUT',
  path: '/v1/uploadkey/{uploadKeyID}',
  summary: 'Change an upload key',
  access: 'session',
  acts,
  params,
  body: UploadKeyUpdate,
  trail: ['upload-key-changed'],
});

export const replaceUploadSecret = operation('uploadkey', {
  method: 'POST',
  path: '/v1/uploadkey/{uploadKeyID}/secret',
  repetition: 'secret',
  summary: 'Give an upload key a new secret',
  description:
    'The key keeps its devices. Only this response contains the new secret. A secret that was replaced earlier and ' +
    'was still accepted is refused at once.',
  access: 'session',
  acts,
  params,
  body: NewSecret,
  bodyOptional: true,
  answer: UploadKey,
  trail: ['upload-key-changed'],
});

export const deleteUploadKey = operation('uploadkey', {
  method: 'DELETE',
  path: '/v1/uploadkey/{uploadKeyID}',
  summary: 'Delete an upload key',
  description: 'After the response, no node accepts the key. Its devices stay.',
  access: 'session',
  acts,
  params,
  trail: ['upload-key-removed'],
});
