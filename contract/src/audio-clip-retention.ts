import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Epoch, Key, PathKey } from './values.ts';

/** What goes because of its age, and what is kept in spite of it. */

const Retention = Type.Object(
  {
    deviceID: Type.Optional(Key),
    retentionDays: Type.Optional(Type.Integer({ minimum: 1, description: 'None: nothing goes because of its age.' })),
    expiringFileCount: Type.Optional(Counter),
    expiringBytes: Type.Optional(Counter),
    removableClipCount: Type.Optional(Counter),
    lockedClipCount: Type.Optional(
      Type.Integer({ ...Counter, description: 'Old enough to go, and kept because they are locked.' }),
    ),
    oldestExpiringTime: Type.Optional(Epoch),
  },
  { title: 'DeviceRetention' },
);
export type Retention = Static<typeof Retention>;

export const previewRetention = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/retention',
  summary: 'See what the retention of a device would remove now',
  description:
    'A dry run. A clip’s file goes when its end is `retentionDays` ago (status 5), its record with captions and tags ' +
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
        description: 'As if it were set so; else as it is set.',
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
  { title: 'AudioClipLock', description: 'Whether a clip is kept however old it grows.' },
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
