import type { Static } from 'typebox';
import { Type } from 'typebox';
import { audioClipStatus, audioClipStatuses } from './audio-clip-status.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { Patch } from './patch.ts';
import { Tag } from './tag.ts';
import {
  clearable,
  Counter,
  DateTime,
  Epoch,
  filledText,
  Key,
  longTextLength,
  Milliseconds,
  modifiedFields,
  PathKey,
  shortTextLength,
  text,
} from './values.ts';

export const longestClipSeconds = 86_400;
export const longestClipList = 1_000;
const parametersLength = 65_536;

const statusTexts = audioClipStatuses.map(({ key, name }) => `${key} ${name}`).join(', ');
export const AudioClipStatus = Type.Integer({
  minimum: audioClipStatus.onDevice,
  maximum: audioClipStatus.expired,
  examples: [audioClipStatus.onDevice],
  description: statusTexts,
});
const ClipLength = Type.Integer({ minimum: 0, maximum: longestClipSeconds, examples: [60] });
const GivenLength = Type.Number({
  minimum: 0,
  maximum: longestClipSeconds,
  examples: [60],
  description: 'Stored to the millisecond, returned as a whole number.',
});
/** Clients in the field have status numbers of their own, up to 6. */
const GivenStatus = Type.Integer({
  minimum: 0,
  maximum: 6,
  examples: [audioClipStatus.onDevice],
  description:
    'A clip whose file is available has status 3, whatever is given here. Without a file 3 is stored as 2, 4 as 1, and ' +
    '5 and 6 as 0, because only the platform sets 3, 4 and 5.',
});

export const audioClipFields = {
  key: Type.Optional(Key),
  userID: Type.Optional(Type.Integer({ ...Key, description: 'The owner of the device.' })),
  deviceID: Type.Optional(Key),
  fileID: Type.Optional(Key),
  audioClipStatus: Type.Optional(AudioClipStatus),
  audioClipTypeID: Type.Optional(Counter),
  audioClipParameters: Type.Optional(text(parametersLength)),
  localFilePath: Type.Optional(text(longTextLength)),
  fileSize: Type.Optional(Counter),
  bitrate: Type.Optional(Counter),
  startTime: Type.Optional(Epoch),
  startTimeMs: Type.Optional(Milliseconds),
  endTime: Type.Optional(Epoch),
  endTimeMs: Type.Optional(Milliseconds),
  clipLengthInSeconds: Type.Optional(ClipLength),
  tagListID: Type.Optional(Key),
  creationDate: Type.Optional(DateTime),
  ...modifiedFields,
};

export const AudioClip = Type.Object(audioClipFields, {
  title: 'AudioClip',
  description: 'A stretch of sound that a device recorded; its sound may not be uploaded yet.',
});
export type AudioClip = Static<typeof AudioClip>;

export const AudioClipWithNames = Type.Object(
  { ...audioClipFields, deviceName: Type.Optional(text(shortTextLength)), tagList: Type.Array(Tag) },
  { title: 'AudioClipWithNames' },
);
export type AudioClipWithNames = Static<typeof AudioClipWithNames>;

/**
 * The fields that a caller may set; `null` clears a field. The end is computed from the length, and the length from the
 * end.
 */
export const audioClipChanges = {
  fileID: clearable(Type.Integer({ ...Key, examples: [] })),
  audioClipStatus: clearable(GivenStatus),
  audioClipTypeID: clearable(Type.Integer({ ...Counter, description: '0 when missing.' })),
  audioClipParameters: clearable(text(parametersLength, '{"gain":12}')),
  localFilePath: clearable(text(longTextLength, '/recordings/1794704400.flac')),
  fileSize: clearable(Counter),
  bitrate: clearable(Counter),
  startTimeMs: clearable(Milliseconds),
  endTime: clearable(Type.Integer({ ...Epoch, examples: [] })),
  endTimeMs: clearable(Type.Integer({ ...Milliseconds, examples: [] })),
  clipLengthInSeconds: clearable(GivenLength),
  tagListID: clearable(Key),
};
const optionalChanges = Type.Partial(Type.Object(audioClipChanges)).properties;

const AnnouncedClip = Type.Object(
  { ...optionalChanges, startTime: Epoch },
  { title: 'AnnouncedAudioClip', description: 'An AudioClip; fields that only the service sets are ignored.' },
);
export type AnnouncedClip = Static<typeof AnnouncedClip>;

const CreateAudioClip = Type.Object(
  {
    deviceID: Type.Optional(Key),
    deviceName: Type.Optional(text(shortTextLength)),
    ...optionalChanges,
    startTime: Epoch,
  },
  { title: 'CreateAudioClip', description: 'The device is named by `deviceID`, else by `deviceName`.' },
);
export type CreateAudioClip = Static<typeof CreateAudioClip>;

export const AudioClipUpdate = Type.Object(
  { ...optionalChanges, startTime: Type.Optional(Epoch) },
  { title: 'AudioClipUpdate' },
);
export type AudioClipUpdate = Static<typeof AudioClipUpdate>;

export const patchableClipFields = [
  'fileID',
  'audioClipStatus',
  'audioClipTypeID',
  'audioClipParameters',
  'localFilePath',
  'fileSize',
  'bitrate',
  'tagListID',
] as const satisfies readonly (keyof typeof audioClipChanges)[];

const UploadAudioClips = Type.Object(
  { deviceID: Key, audioClips: Type.Array(Key, { minItems: 1, maxItems: longestClipList }) },
  { title: 'UploadAudioClips' },
);
export type UploadAudioClips = Static<typeof UploadAudioClips>;

const params = { audioClipID: PathKey };
const byDevice = {
  audioClipID: Type.String({
    ...filledText(shortTextLength, 'recorder-17'),
    description: 'In this method, the serial of the device, not the key of a clip.',
  }),
};
const kept =
  'Sound that is replaced with other bytes or taken away stays as a version (`GET /v1/audioclip/{audioClipID}/version/list`). A device key does not change the sound, the file and the times of a clip that has or had sound, and nobody changes those ' +
  'of a locked clip: 409. Values that the clip has already are accepted: the same file or one with the same SHA-256, and ' +
  'an end or a length that differs by less than a second, which leaves the end as it is.';
const announcing =
  'Sending a clip again (the same device, type, start and start ms) returns the clip that exists, unchanged. ' +
  'The end is `endTime` and `endTimeMs` when given, else start + `clipLengthInSeconds`; ' +
  'both given and more than a second apart, or an end before the start: 400. ' +
  '0 in `endTime`, `fileID` or `tagListID` means not given.';

export const getAudioClip = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}',
  summary: 'Read a clip',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  answer: AudioClip,
});

export const updateAudioClip = operation('audioclip', {
  method: 'PUT',
  path: '/v1/audioclip/{audioClipID}',
  summary: 'Change a clip',
  description:
    'Sets the fields that are present; `null` clears a field, missing fields stay unchanged. The device of a clip cannot be changed. ' +
    `If only the start is changed, the length stays. 0 in \`endTime\`, \`fileID\` or \`tagListID\` means not given. ${kept}`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  body: AudioClipUpdate,
  errors: [409],
  trail: ['sound-replaced', 'sound-detached', 'clip-redated'],
});

export const patchAudioClip = operation('audioclip', {
  method: 'PATCH',
  path: '/v1/audioclip/{audioClipID}',
  summary: 'Patch a clip',
  description:
    `Only ${patchableClipFields.join(', ')} may be patched. ` +
    '`fileID` must be an available file that you may write, of the same device or of none. ' +
    `The status follows from the file, see \`audioClipStatus\`. ${kept}`,
  access: 'agent',
  writeOnlyKeys: 'sets',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  body: Type.Unsafe<Patch>({
    ...Patch,
    examples: [[{ op: 'replace', path: '/audioClipStatus', value: audioClipStatus.uploading }]],
  }),
  answer: text(shortTextLength, 'The audio clip 17 was changed.'),
  errors: [409],
  trail: ['sound-replaced', 'sound-detached'],
});

export const deleteAudioClip = operation('audioclip', {
  method: 'DELETE',
  path: '/v1/audioclip/{audioClipID}',
  summary: 'Remove a clip',
  description:
    'Also removes its captions, tags and versions, and its files if nothing else uses them. If the clip is locked: 409; unlock it first.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  errors: [409],
  trail: ['clip-removed', 'version-removed'],
});

export const createAudioClip = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip',
  repetition: 'harmless',
  summary: 'Announce a clip of any device',
  description: `For people and scripts; devices put their serial in the path instead. ${announcing}`,
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceID' }],
  body: CreateAudioClip,
  answer: AudioClip,
  errors: [409],
  trail: 'A first upload is no change of the record.',
});

export const announceAudioClip = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/{audioClipID}',
  repetition: 'harmless',
  summary: 'Announce a clip of a device',
  description: `In this method, the path names the **device** by its serial. ${announcing}`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'params.audioClipID' }],
  params: byDevice,
  body: AnnouncedClip,
  answer: AudioClip,
  errors: [409],
  trail: 'A first upload is no change of the record.',
});

export const announceAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/createlist/{deviceSerial}',
  repetition: 'harmless',
  summary: 'Announce many clips of a device: all of them or none',
  description: `1 to ${longestClipList} clips, answered in the order sent. ${announcing}`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceSerial' }],
  params: { deviceSerial: Type.String({ ...filledText(shortTextLength, 'recorder-17') }) },
  body: Type.Array(AnnouncedClip, { minItems: 1, maxItems: longestClipList }),
  answer: Type.Array(AudioClip),
  errors: [409],
  trail: 'A first upload is no change of the record.',
});

export const requestUpload = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/upload',
  headers: onceHeaders,
  summary: 'Ask a device to upload the sound of clips',
  description:
    'Enqueues one `Upload_audio_clips` event for the device, and sets the clips whose sound is not available to status 1. ' +
    'A clip of another device: 400, and nothing is changed.',
  access: 'caller',
  acts: [
    { record: 'device', right: 'write', by: 'body.deviceID' },
    { record: 'audioclip', right: 'write', by: 'body.audioClips', hidden: 400 },
  ],
  body: UploadAudioClips,
  trail: 'It asks a device for sound that the platform does not have.',
});
