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
  writeOnlyKeys: 'refused',
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
  { title: 'AudioClipLock', description: 'Whether a clip is kept as it is.' },
);
export type AudioClipLock = Static<typeof AudioClipLock>;

const params = { audioClipID: PathKey };

export const getAudioClipLock = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Read whether a clip is locked',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
});

export const lockAudioClip = operation('audioclip', {
  method: 'PUT',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Lock a clip against changes and removal',
  description:
    'Its sound, file, times and device stay as they are, whatever its age: a request that would change one of them, remove the ' +
    'clip or its device, or merge its device is answered 409 until the clip is unlocked. Its first sound may still arrive; ' +
    'captions, tags, title and status go on as before.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
  trail: ['clip-locked'],
});

export const unlockAudioClip = operation('audioclip', {
  method: 'DELETE',
  path: '/v1/audioclip/{audioClipID}/lock',
  summary: 'Unlock a clip',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  answer: AudioClipLock,
  trail: ['clip-unlocked'],
});
