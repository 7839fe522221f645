import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AudioClip, audioClipFields, AudioClipWithNames } from './audio-clip.ts';
import { operation, readsOnly } from './operation.ts';
import { AudioClipTag, Tag } from './tag.ts';
import {
  Count,
  Counter,
  DeviceIDList,
  epochRange,
  Key,
  longestIdList,
  Order,
  searchTextLength,
  shortTextLength,
  text,
} from './values.ts';

/** Lists of clips: the clips that overlap the range, of the devices that the caller may read. */

export const TagIDs = Type.Array(Key, {
  maxItems: longestIdList,
  description: 'Clips that have at least one of these tags.',
});

const AudioClipEpochAndCountFilter = Type.Object(
  {
    deviceID: Type.Optional(
      Type.Integer({ ...Key, examples: [0], description: 'One device; missing or 0: every device that you may read.' }),
    ),
    ...epochRange,
    count: Type.Optional(Count),
    order: Type.Optional(Order),
    audioClipTypeID: Type.Optional(Type.Integer({ ...Counter, description: 'Only clips of this type.' })),
    tagList: Type.Optional(TagIDs),
  },
  { title: 'AudioClipEpochAndCountFilter' },
);
export type AudioClipEpochAndCountFilter = Static<typeof AudioClipEpochAndCountFilter>;

const DeviceEpochRange = Type.Object(
  { deviceSerial: text(shortTextLength, 'recorder-17'), ...epochRange },
  { title: 'DeviceEpochRange' },
);
export type DeviceEpochRange = Static<typeof DeviceEpochRange>;

const DevicesEpochAndCountFilter = Type.Object(
  {
    deviceIDList: Type.Optional(DeviceIDList),
    ...epochRange,
    count: Type.Optional(Count),
    order: Type.Optional(Order),
  },
  { title: 'DevicesEpochAndCountFilter' },
);
export type DevicesEpochAndCountFilter = Static<typeof DevicesEpochAndCountFilter>;

const GetTagListForDeviceList = Type.Object(
  {
    deviceIDList: Type.Optional(DeviceIDList),
    tagIDList: Type.Optional(TagIDs),
    ...epochRange,
    count: Type.Optional(Count),
    order: Type.Optional(Order),
    searchText: Type.Optional(
      Type.String({
        maxLength: searchTextLength,
        examples: [''],
        description: 'Only clips whose transcript contains this text, as in the caption search; empty means any clip.',
      }),
    ),
  },
  { title: 'GetTagListForDeviceList' },
);
export type GetTagListForDeviceList = Static<typeof GetTagListForDeviceList>;

const AudioClipListWithTags = Type.Object(
  {
    audioClipList: Type.Array(
      Type.Object(
        { ...audioClipFields, captionID: Type.Optional(Key), transcript: Type.Optional(Type.String()) },
        { title: 'AudioClipWithTranscript' },
      ),
    ),
    audioClipTagList: Type.Array(AudioClipTag),
    tagList: Type.Array(Tag),
  },
  { title: 'AudioClipListWithTags', description: 'The clips, their tags, and each tag once.' },
);
export type AudioClipListWithTags = Static<typeof AudioClipListWithTags>;

export const refuseClipList = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/list',
  summary: 'Not implemented; see POST',
  description: 'Always 501: clips are listed with `POST /v1/audioclip/list`.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  errors: [501],
});

export const listAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list',
  summary: 'List clips by their start, with names and tags',
  description: 'A clip is in the range if it overlaps the range. `alldevices=true`: `deviceID` is ignored.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'audioclip',
  query: {
    alldevices: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Clips of every device that you may read.' }),
    ),
  },
  body: AudioClipEpochAndCountFilter,
  answer: Type.Array(AudioClipWithNames),
  trail: readsOnly,
});

export const listAudioClipsOfDevices = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/devices/list',
  summary: 'List clips of several devices by their start',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  lists: 'audioclip',
  body: DevicesEpochAndCountFilter,
  answer: Type.Array(AudioClip),
  trail: readsOnly,
});

export const extractAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/extract/list',
  summary: 'List all clips of a device that overlap a range, oldest first',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceSerial' }],
  body: DeviceEpochRange,
  answer: Type.Array(AudioClip),
  trail: readsOnly,
});

export const listAudioClipsWithTags = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/devices/tag/list',
  summary: 'List clips of several devices with their transcripts and tags',
  description: '`minutes=N`: only clips and tags of the last N minutes before `endEpoch`, or before now.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  query: {
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5_256_000, examples: [60], description: 'Only the last N minutes.' }),
    ),
  },
  body: GetTagListForDeviceList,
  answer: AudioClipListWithTags,
  trail: readsOnly,
});
