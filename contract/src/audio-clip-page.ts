import type { Static } from 'typebox';
import { Type } from 'typebox';
import { audioClipStatus } from './audio-clip-status.ts';
import { AudioClipStatus, AudioClipWithNames } from './audio-clip.ts';
import { TagIDs } from './audio-clip-list.ts';
import { operation } from './operation.ts';
import { RadioCall, RadioUnit, TalkgroupNumber } from './radio.ts';
import { AudioClipTag } from './tag.ts';
import { Count, Counter, Cursor, DeviceIDList, Epoch, epochRange, Key, Order, pageCursors } from './values.ts';

/** A list of clips in pages, complete for any number of clips, including clips that begin at the same time. */

/** The maximum length of a transcript in a page. */
export const shownTranscript = 300;

/** If a filter has no index, a response reads at most this number of clips. */
export const mostClipsLookedAt = 1_000;

const AudioClipPageFilter = Type.Object(
  {
    deviceIDList: Type.Optional(DeviceIDList),
    ...epochRange,
    audioClipStatus: Type.Optional(Type.Integer({ ...AudioClipStatus, examples: [audioClipStatus.available] })),
    audioClipTypeID: Type.Optional(Type.Integer({ ...Counter, description: 'Only clips of this type.' })),
    tagIDList: Type.Optional(TagIDs),
    talkgroup: Type.Optional(
      Type.Integer({ ...TalkgroupNumber, examples: [], description: 'Only radio calls of this talkgroup.' }),
    ),
    unit: Type.Optional(
      Type.Integer({ ...RadioUnit, examples: [], description: 'Only radio calls that this radio began.' }),
    ),
    isEmergency: Type.Optional(
      Type.Boolean({ examples: [], description: 'Only radio calls that are emergencies (true) or are not (false).' }),
    ),
    order: Type.Optional(Order),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
    withTags: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Adds `audioClipTagList`: each tag with its time.' }),
    ),
  },
  { title: 'AudioClipPageFilter' },
);
export type AudioClipPageFilter = Static<typeof AudioClipPageFilter>;

const PagedAudioClip = Type.Object(
  {
    ...AudioClipWithNames.properties,
    captionID: Type.Optional(Type.Integer({ ...Key, description: 'Present if the clip has a caption.' })),
    transcript: Type.Optional(
      Type.String({ description: `The first ${shownTranscript} characters of the caption, if there is one.` }),
    ),
    radioCall: Type.Optional(RadioCall),
    mayWrite: Type.Optional(Type.Boolean({ description: 'Whether you may change the clip.' })),
    waveformURL: Type.Optional(
      Type.String({ description: 'The path of its waveform, if its sound is on the server.' }),
    ),
  },
  { title: 'PagedAudioClip' },
);
export type PagedAudioClip = Static<typeof PagedAudioClip>;

const AudioClipPage = Type.Object(
  {
    results: Type.Array(PagedAudioClip),
    ...pageCursors,
    reachedEpoch: Type.Optional(
      Type.Integer({ ...Epoch, description: 'The start of the last clip that was read, whether it matches or not.' }),
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
    'Sorted by start, then key. Follow `next` until it is missing: every clip that exists during the whole time is returned exactly ' +
    'once, even if many begin at the same time and others are added meanwhile. Send the filters with each ' +
    'request; the cursor contains only the position. With `audioClipStatus` a response may have fewer results than `count`, or ' +
    `none, and still a \`next\`: it reads up to ${mostClipsLookedAt.toLocaleString('en')} clips.`,
  access: 'agent',
  acts: [],
  lists: 'audioclip',
  body: AudioClipPageFilter,
  answer: AudioClipPage,
});
