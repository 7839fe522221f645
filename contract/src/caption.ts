import type { Static } from 'typebox';
import { Type } from 'typebox';
import { longestClipList, longestClipSeconds } from './audio-clip.ts';
import { operation } from './operation.ts';
import { Confidence } from './tag.ts';
import {
  Counter,
  DateTime,
  epochRange,
  filledText,
  Key,
  oneOf,
  PathKey,
  shortTextLength,
  text,
  tightText,
} from './values.ts';

/** What was heard in a clip. A caption's key is its clip's. */

export const transcriptLength = 500_000;
/** So much of a transcript is told on the live stream. */
export const summaryLength = 4_000;
const mostWords = 10_000;
const Moment = Type.Integer({
  minimum: 0,
  maximum: longestClipSeconds * 1000,
  examples: [1200],
  description: 'Milliseconds from the start of the clip.',
});
export const CaptionVersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] });

const CaptionWord = Type.Object(
  { text: Type.String({ examples: ['good'] }), startMs: Moment, endMs: Moment, confidence: Confidence },
  { title: 'CaptionWord' },
);

export const CaptionSegment = Type.Object(
  {
    startMs: Moment,
    endMs: Moment,
    text: Type.String({ description: 'Empty where somebody speaks in a language that the engine does not know.' }),
    confidence: Confidence,
    isLanguageKnown: Type.Boolean(),
    words: Type.Array(CaptionWord),
  },
  { title: 'CaptionSegment', description: 'What is said without a pause: a sentence, at best.' },
);

/** What a caption and each of its versions say. */
export const captionContent = {
  version: Type.Optional(CaptionVersionNumber),
  transcript: Type.Optional(Type.String({ description: 'Empty when nobody speaks.' })),
  language: Type.Optional(text(shortTextLength)),
  isLanguageKnown: Type.Optional(
    Type.Boolean({ description: 'False: somebody speaks, mostly in a language that the engine does not know.' }),
  ),
  engineName: Type.Optional(text(shortTextLength)),
  engineVersion: Type.Optional(text(shortTextLength)),
};

const facts = {
  key: Type.Optional(Type.Integer({ ...Key, description: 'The same as its clip’s.' })),
  deviceID: Type.Optional(Key),
  ...captionContent,
  correctedBy: Type.Optional(Type.Integer({ ...Key, description: 'Who wrote or corrected it by hand.' })),
  correctedDate: Type.Optional(DateTime),
  creationDate: Type.Optional(DateTime),
  lastModifiedDate: Type.Optional(DateTime),
};

export const Caption = Type.Object(
  { ...facts, segments: Type.Array(CaptionSegment) },
  { title: 'Caption', description: 'What is said in a clip, in the version that holds.' },
);
export type Caption = Static<typeof Caption>;

/** On the live stream, where a day of speech would be in the way. */
export const CaptionSummary = Type.Object(facts, {
  title: 'CaptionSummary',
  description: `A Caption without its segments, and with the first ${summaryLength.toLocaleString('en')} characters of its transcript.`,
});
export type CaptionSummary = Static<typeof CaptionSummary>;

const CaptionCorrection = Type.Object(
  {
    transcript: Type.Optional(
      Type.String({
        maxLength: transcriptLength,
        examples: ['Good morning, everybody.'],
        description:
          'Kept exactly as given, white space included. Words that stay keep their times; those of others are estimated.',
      }),
    ),
    words: Type.Optional(
      Type.Array(
        Type.Object({
          text: tightText(shortTextLength, 'good'),
          startMs: Moment,
          endMs: Moment,
        }),
        {
          maxItems: mostWords,
          examples: [],
          description:
            'Instead of `transcript`, in the order of their times. White space at either end of a word: 400.',
        },
      ),
    ),
    version: Type.Optional(
      Type.Integer({
        ...CaptionVersionNumber,
        examples: [],
        description: 'That which is corrected; another one holds by now: 409.',
      }),
    ),
  },
  { title: 'CaptionCorrection' },
);
export type CaptionCorrection = Static<typeof CaptionCorrection>;

const CaptionRequest = Type.Object(
  {
    audioClips: Type.Optional(
      Type.Array(Key, { maxItems: longestClipList, examples: [[]], description: 'Only these clips of the device.' }),
    ),
    ...epochRange,
    again: Type.Optional(
      Type.Boolean({ examples: [false], description: 'Clips that have a caption, too; it becomes a new version.' }),
    ),
    engine: Type.Optional(
      Type.String({
        maxLength: shortTextLength,
        examples: [],
        description: 'Another engine than the usual one: `moonshine`, `whisper`, or whatever is configured.',
      }),
    ),
  },
  { title: 'CaptionRequest' },
);
export type CaptionRequest = Static<typeof CaptionRequest>;

const CaptionProgress = Type.Object(
  {
    waitingCount: Counter,
    workingCount: Counter,
    oldestWaitingSeconds: Type.Integer({
      ...Counter,
      description: 'How long the oldest has waited; 0 when none does.',
    }),
    failedCount: Type.Integer({ ...Counter, description: 'Given up within the last day.' }),
    state: Type.Unsafe<'ready' | 'preparing' | 'unavailable'>({
      ...oneOf('ready', 'preparing', 'unavailable'),
      description: 'Whether there is an engine at work; while there is none, captions wait.',
    }),
    reason: Type.Optional(Type.String({ description: 'Why it is unavailable; in full for admins.' })),
    engineName: Type.Optional(text(shortTextLength)),
    engineVersion: Type.Optional(text(shortTextLength)),
  },
  { title: 'CaptionProgress' },
);
export type CaptionProgress = Static<typeof CaptionProgress>;

export const defaultMaxLabels = 10;
export const defaultMinConfidence = 50;

const params = { captionID: PathKey };
const ofCaption = [{ record: 'caption', right: 'read', by: 'params.captionID' }] as const;
const ofClip = [{ record: 'audioclip', right: 'write', by: 'params.captionID' }] as const;

export const captionAudio = operation('caption', {
  method: 'POST',
  path: '/v1/caption/audio/{deviceSerial}',
  summary: 'Have clips of a device captioned and tagged',
  description:
    'Enqueues one event for the clips whose sound is here and that have no caption of it yet; the body narrows it to ' +
    'some clips or a range. Clips of a device with `autoCaption` need no asking.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceSerial' }],
  params: { deviceSerial: Type.String({ ...filledText(shortTextLength, 'recorder-17') }) },
  query: {
    maxLabels: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        examples: [defaultMaxLabels],
        description: `How many tags a clip gets at most, the surest ones; ${defaultMaxLabels} when missing.`,
      }),
    ),
    minConfidence: Type.Optional(
      Type.Number({ ...Confidence, examples: [50], description: `Percent; ${defaultMinConfidence} when missing.` }),
    ),
  },
  body: CaptionRequest,
  bodyOptional: true,
});

export const captionWords = operation('caption', {
  method: 'GET',
  path: '/v1/caption/words/{captionID}',
  summary: 'Have the time of each word found',
  description:
    'Enqueues an event for that clip: one without a caption gets it, and the words of one corrected by hand are found in ' +
    'the sound. A clip whose sound is not here yet: when it comes.',
  access: 'caller',
  acts: ofClip,
  params,
});

export const getCaptionProgress = operation('caption', {
  method: 'GET',
  path: '/v1/caption/progress',
  summary: 'How far captioning is, of the devices you may read',
  access: 'caller',
  acts: [],
  answer: CaptionProgress,
});

export const getCaption = operation('caption', {
  method: 'GET',
  path: '/v1/caption/{captionID}',
  summary: 'Read the caption of a clip',
  description: 'A clip that was not listened to yet: 404.',
  access: 'caller',
  acts: ofCaption,
  params,
  answer: Caption,
});

export const getCaptionVtt = operation('caption', {
  method: 'GET',
  path: '/v1/caption/{captionID}.vtt',
  summary: 'Read a caption as WebVTT',
  access: 'caller',
  acts: ofCaption,
  params,
  answer: Type.String({ examples: ['WEBVTT\n'] }),
  media: ['text/vtt'],
});

export const getCaptionSrt = operation('caption', {
  method: 'GET',
  path: '/v1/caption/{captionID}.srt',
  summary: 'Read a caption as SubRip',
  access: 'caller',
  acts: ofCaption,
  params,
  answer: Type.String({ examples: [''] }),
  media: ['application/x-subrip'],
});

export const correctCaption = operation('caption', {
  method: 'PUT',
  path: '/v1/caption/{captionID}',
  summary: 'Correct or write a caption by hand',
  description:
    'With `transcript` or `words`. It becomes a new version, which holds until somebody changes it: a later run of an ' +
    'engine over the same sound is kept beside it.',
  access: 'caller',
  acts: ofClip,
  params,
  body: CaptionCorrection,
  answer: Caption,
  errors: [409],
});
