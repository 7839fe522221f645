import type { Static } from 'typebox';
import { Type } from 'typebox';
import { clipTitleLength } from './audio-clip-recording.ts';
import { audioClipStatus } from './audio-clip-status.ts';
import { AudioClipStatus, AudioClipWithNames } from './audio-clip.ts';
import { TagIDs } from './audio-clip-list.ts';
import { operation, readsOnly } from './operation.ts';
import { RadioCall, RadioUnit, TalkgroupNumber } from './radio.ts';
import { AudioClipTag } from './tag.ts';
import { Count, Counter, Cursor, DeviceIDList, Epoch, epochRange, Key, Order, pageCursors } from './values.ts';

/** A list of clips in pages, complete for any number of clips, including clips that begin at the same time. */

/** The maximum length of a transcript in a page. */
export const shownTranscript = 300;

/** If a filter has no index, a response reads at most this number of clips. */
export const mostClipsLookedAt = 1_000;

/** The same for the filter by title: a title is rare, and only small rows are read. */
export const mostTitlesLookedAt = 10_000;

/** A page gives at most this number of stretches of speech for a clip. */
export const mostSpeechSpans = 100;

/** Which clips are listed. */
const clipFilter = {
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
};

const AudioClipPageFilter = Type.Object(
  {
    ...clipFilter,
    title: Type.Optional(
      Type.String({
        maxLength: clipTitleLength,
        examples: [],
        description: 'Only clips whose title contains this text, in any case. An empty text is no condition.',
      }),
    ),
    order: Type.Optional(Order),
    count: Type.Optional(Count),
    cursor: Type.Optional(Cursor),
    withTags: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Adds `audioClipTagList`: each tag with its time.' }),
    ),
    withSpeech: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Adds `speech` to each clip that has a caption with words.' }),
    ),
  },
  { title: 'AudioClipPageFilter' },
);
export type AudioClipPageFilter = Static<typeof AudioClipPageFilter>;

const SpeechSpan = Type.Object(
  { startMs: Counter, endMs: Counter },
  { title: 'SpeechSpan', description: 'In milliseconds from the start of the clip.' },
);

const PagedAudioClip = Type.Object(
  {
    ...AudioClipWithNames.properties,
    captionID: Type.Optional(Type.Integer({ ...Key, description: 'Present if the clip has a caption.' })),
    transcript: Type.Optional(
      Type.String({ description: `The first ${shownTranscript} characters of the caption, if there is one.` }),
    ),
    radioCall: Type.Optional(RadioCall),
    mayWrite: Type.Optional(Type.Boolean({ description: 'Whether you may change the clip.' })),
    title: Type.Optional(
      Type.String({ description: 'What a person called the clip, else the name of its file without its extension.' }),
    ),
    waveformURL: Type.Optional(
      Type.String({ description: 'The path of its waveform, if its sound is on the server.' }),
    ),
    soundMs: Type.Optional(
      Type.Integer({
        ...Counter,
        description: 'The length of the sound itself in milliseconds, if it is on the server and was measured.',
      }),
    ),
    speech: Type.Optional(
      Type.Array(SpeechSpan, {
        description:
          `With \`withSpeech\`: where somebody speaks, the first ${mostSpeechSpans} stretches. Missing for a caption ` +
          'of several hours.',
      }),
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
    'request; the cursor contains only the position. With `audioClipStatus` or `title` a response may have fewer results than `count`, or ' +
    `none, and still a \`next\`: it reads up to ${mostClipsLookedAt.toLocaleString('en')} clips, with \`title\` up to ` +
    `${mostTitlesLookedAt.toLocaleString('en')}.`,
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  lists: 'audioclip',
  body: AudioClipPageFilter,
  answer: AudioClipPage,
  trail: readsOnly,
});

/** Counts of clips over time. */

export const mostBuckets = 200;
const defaultBuckets = 100;
/** A histogram counts at most about this number of clips, whatever the number of clips in the range. */
export const mostClipsCounted = 200_000;

const HistogramFilter = Type.Object(
  {
    ...clipFilter,
    bucketCount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostBuckets,
        examples: [defaultBuckets],
        description:
          `The maximum number of buckets; ${defaultBuckets} when missing. There are fewer if the range has fewer ` +
          'seconds, or if many devices are counted.',
      }),
    ),
  },
  { title: 'AudioClipHistogramFilter' },
);
export type AudioClipHistogramFilter = Static<typeof HistogramFilter>;

const HistogramBucket = Type.Object(
  {
    startEpoch: Epoch,
    count: Type.Integer({ ...Counter, description: 'The clips that begin in this bucket.' }),
    isEstimated: Type.Optional(
      Type.Boolean({ description: 'True if there are too many clips to count: `count` is an estimate.' }),
    ),
  },
  { title: 'AudioClipHistogramBucket' },
);

const Histogram = Type.Object(
  {
    startEpoch: Type.Optional(Type.Integer({ ...Epoch, description: 'Missing if there are no clips and no range.' })),
    endEpoch: Type.Optional(Epoch),
    bucketSeconds: Type.Integer({ ...Counter, description: 'The length of a bucket; the last one may be shorter.' }),
    bucketList: Type.Array(HistogramBucket, {
      description: 'All buckets of the range in time order, also empty ones.',
    }),
  },
  { title: 'AudioClipHistogram' },
);
export type AudioClipHistogram = Static<typeof Histogram>;

export const countAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/list/histogram',
  summary: 'Count clips over time',
  description:
    'The filters are those of `POST /v1/audioclip/list/page`; a clip is counted where it begins. Without `startEpoch` or ' +
    '`endEpoch` the range begins with the first clip or ends with the last. Up to about ' +
    `${mostClipsCounted.toLocaleString('en')} clips are counted exactly: where there are more, the count of a bucket is estimated ` +
    'from its first clips.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  body: HistogramFilter,
  answer: Histogram,
  trail: readsOnly,
});
