import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Epoch, Key, Milliseconds, PathKey, shortTextLength, text } from './values.ts';

/** The former sound of a clip: what it had before a person replaced it or took it away. */

const AudioClipVersion = Type.Object(
  {
    key: Type.Optional(Key),
    audioClipID: Type.Optional(Key),
    sHA256Hash: Type.Optional(text(64)),
    fileSize: Type.Optional(Counter),
    contentType: Type.Optional(text(shortTextLength, 'audio/wav')),
    durationMs: Type.Optional(Counter),
    startTime: Type.Optional(Type.Integer({ ...Epoch, description: 'The times are those that the clip had with it.' })),
    startTimeMs: Type.Optional(Milliseconds),
    endTime: Type.Optional(Epoch),
    endTimeMs: Type.Optional(Milliseconds),
    transcript: Type.Optional(
      Type.String({ description: 'Its last transcript. Missing if this sound was not transcribed.' }),
    ),
    formerDate: Type.Optional(
      Type.String({ ...DateTime, description: 'When it was replaced or taken from the clip.' }),
    ),
    replacedBy: Type.Optional(Key),
  },
  { title: 'AudioClipVersion' },
);
export type AudioClipVersion = Static<typeof AudioClipVersion>;

const params = { audioClipID: PathKey };
const ofVersion = { ...params, audioClipVersionID: PathKey };
const acts = [
  { record: 'audioclip', right: 'own', by: 'params.audioClipID' },
  { record: 'audioclipversion', right: 'own', by: 'params.audioClipVersionID' },
] as const;

export const listAudioClipVersions = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/version/list',
  summary: 'List the former sound of a clip, newest first',
  description:
    'When a person replaces the sound of a clip with other bytes or takes it away, the former sound stays as a version. It is ' +
    'removed with the clip, with the retention of its device and, where the device has none, after `EARSHOT_VERSION_DAYS`. ' +
    'For the owner of the device and admins.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'own', by: 'params.audioClipID' }],
  params,
  answer: Type.Array(AudioClipVersion),
});

export const getAudioClipVersionContent = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/version/{audioClipVersionID}/content',
  summary: 'Play the former sound of a clip',
  access: 'caller',
  acts,
  params: ofVersion,
  bytes: 'sent',
  trail: ['sound-played'],
});

export const deleteAudioClipVersion = operation('audioclip', {
  method: 'DELETE',
  path: '/v1/audioclip/{audioClipID}/version/{audioClipVersionID}',
  summary: 'Delete the former sound of a clip for good',
  description: 'Its transcripts are deleted with it. If the clip is locked: 409; unlock it first.',
  access: 'caller',
  acts,
  params: ofVersion,
  errors: [409],
  trail: ['version-removed'],
});
