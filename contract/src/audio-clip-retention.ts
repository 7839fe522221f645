import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Epoch, Key, PathKey } from './values.ts';

/** Removal of old clips, and locks against it. */

const Retention = Type.Object(
  {
    deviceID: Type.Optional(Key),
    retentionDays: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Missing: nothing is removed because of its age.' }),
    ),
    expiringFileCount: Type.Optional(Counter),
    expiringBytes: Type.Optional(Counter),
    removableClipCount: Type.Optional(Counter),
    lockedClipCount: Type.Optional(
      Type.Integer({ ...Counter, description: 'Clips that are old enough to be removed, but are locked.' }),
    ),
    oldestExpiringTime: Type.Optional(Epoch),
  },
  { title: 'DeviceRetention' },
);
export type Retention = Static<typeof Retention>;

export const previewRetention = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/retention',
  summary: 'Preview what the retention of a device would remove now',
  description:
    'A dry run. The file of a clip is removed when its end is `retentionDays` ago (status 5), its record with captions and tags ' +
    'after as many days again. Counts stop at 100,000.',
  access: 'agent',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  query: {
    retentionDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 36_500,
        examples: [30],
        description: 'The retention to preview; missing: that of the device.',
      }),
    ),
  },
  answer: Retention,
});

export const AudioClipLock = Type.Object(
  {
    audioClipID: Type.Optional(Key),
    locked: Type.Optional(Type.Boolean()),
    lockedBy: Type.Optional(Key),
    lockDate: Type.Optional(DateTime),
  },
  { title: 'AudioClipLock', description: 'Whether a clip is kept regardless of its age.' },
);
export type AudioClipLock = Static<typeof AudioClipLock>;

const params = { audioClipID: PathKey };

export const getAudioClipLock = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Read whether a clip is locked against retention',
  access: 'agent',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
});

export const lockAudioClip = operation('audioclip', {
  method: 'PUT',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Lock a clip against retention',
  description: 'Neither its file nor its record is removed because of its age. Removing it by hand stays possible.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
});

export const unlockAudioClip = operation('audioclip', {
  method: 'DELETE',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Unlock a clip',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
});
