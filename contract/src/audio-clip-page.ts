import type { Static } from 'typebox';
import { Type } from 'typebox';
import { audioClipStatus } from './audio-clip-status.ts';
import { AudioClipStatus, AudioClipWithNames } from './audio-clip.ts';
import { TagIDs } from './audio-clip-list.ts';
import { operation } from './operation.ts';
import { AudioClipTag } from './tag.ts';
import { Count, Counter, Cursor, DeviceIDList, Epoch, epochRange, Key, Order, pageCursors } from './values.ts';

/** A list of clips that can be walked from end to end, however many there are and however many begin at one moment. */

/** With a filter that no index knows, an answer looks at so many clips at most. */
export const mostClipsLookedAt = 1_000;

const AudioClipPageFilter = Type.Object(
  {
    deviceIDList: Type.Optional(DeviceIDList),
    ...epochRange,
    audioClipStatus: Type.Optional(Type.Integer({ ...AudioClipStatus, examples: [audioClipStatus.available] })),
    audioClipTypeID: Type.Optional(Type.Integer({ ...Counter, description: 'Only clips of this type.' })),
    tagIDList: Type.Optional(TagIDs),
    order: Type.Optional(Order),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
    withTags: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Adds `audioClipTagList`: each tag at its moment.' }),
    ),
  },
  { title: 'AudioClipPageFilter' },
);
export type AudioClipPageFilter = Static<typeof AudioClipPageFilter>;

const PagedAudioClip = Type.Object(
  {
    ...AudioClipWithNames.properties,
    captionID: Type.Optional(Type.Integer({ ...Key, description: 'When the clip has a caption.' })),
  },
  { title: 'PagedAudioClip' },
);
export type PagedAudioClip = Static<typeof PagedAudioClip>;

const AudioClipPage = Type.Object(
  {
    results: Type.Array(PagedAudioClip),
    ...pageCursors,
    reachedEpoch: Type.Optional(
      Type.Integer({ ...Epoch, description: 'When the last clip begins that was looked at, whether it fits or not.' }),
    ),
    audioClipTagList: Type.Optional(Type.Array(AudioClipTag)),
  },
  { title: 'AudioClipPage' },
);
export type AudioClipPage = Static<typeof AudioClipPage>;

export const listAudioClipPage = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list/page',
  summary: 'List clips page by page, forwards and back',
  description:
    'Sorted by start, then key. Follow `next` until it is missing: every clip that was there all the time comes exactly ' +
    'once, also when many begin at the same moment and others are added meanwhile. The filters are given with each ' +
    'request; the cursor holds only the place. With `audioClipStatus` an answer may have fewer results than `count`, or ' +
    `none, and still a \`next\`: it looks at up to ${mostClipsLookedAt.toLocaleString('en')} clips.`,
  access: 'agent',
  acts: [],
  lists: 'audioclip',
  body: AudioClipPageFilter,
  answer: AudioClipPage,
});
