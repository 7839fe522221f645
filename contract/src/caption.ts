import type { Static } from 'typebox';
import { Type } from 'typebox';
import { longestClipList, longestClipSeconds } from './audio-clip.ts';
import { doubtfulBelow } from './caption-marks.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { Confidence } from './tag.ts';
import { DateTime, epochRange, filledText, Key, PathKey, shortTextLength, text, tightText } from './values.ts';

/** The transcript of a clip. A caption has the same key as its clip. */

export const transcriptLength = 500_000;
/** The maximum length of a transcript on the live stream. */
export const summaryLength = 4_000;
const mostWords = 10_000;
export const Moment = Type.Integer({
  minimum: 0,
  maximum: longestClipSeconds * 1000,
  examples: [1200],
  description: 'Milliseconds from the start of the clip.',
});
export const CaptionVersionNumber = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] });

const CaptionWord = Type.Object(
  {
    text: Type.String({ examples: ['good'] }),
    startMs: Moment,
    endMs: Moment,
    confidence: Confidence,
    isDoubtful: Type.Optional(
      Type.Boolean({ description: `True if an engine wrote it with a confidence below ${doubtfulBelow}.` }),
    ),
    heardAs: Type.Optional(
      Type.String({ description: 'What the engine would have written without the vocabulary, if that differs.' }),
    ),
  },
  { title: 'CaptionWord' },
);

const CaptionSegment = Type.Object(
  {
    startMs: Moment,
    endMs: Moment,
    text: Type.String({ description: 'Empty for speech that was not understood.' }),
    confidence: Confidence,
    isLanguageKnown: Type.Boolean({ description: 'False for a language that the engine does not support.' }),
    isUnderstood: Type.Optional(
      Type.Boolean({ description: 'False for speech for which the engine found no words; true when missing.' }),
    ),
    language: Type.Optional(Type.String({ description: 'Set if it is not the language of the clip.' })),
    unconfirmed: Type.Optional(
      Type.Object(
        {
          language: Type.String({ examples: ['en'], description: 'The language of these words.' }),
          words: Type.Array(CaptionWord),
        },
        {
          title: 'UnconfirmedWords',
          description:
            'What the engine wrote although the speech seems to be in another language. These words are not in `text` and ' +
            'the transcript, and no search finds them, until somebody confirms them.',
        },
      ),
    ),
    isTimed: Type.Optional(
      Type.Boolean({ description: 'False if the times of its words are estimated; true when missing.' }),
    ),
    words: Type.Array(CaptionWord),
  },
  { title: 'CaptionSegment', description: 'Speech without a pause, if possible one sentence.' },
);

/** The content of a caption and of each of its versions. */
export const captionContent = {
  version: Type.Optional(CaptionVersionNumber),
  transcript: Type.Optional(Type.String({ description: 'Empty if there is no speech.' })),
  language: Type.Optional(text(shortTextLength)),
  isLanguageKnown: Type.Optional(
    Type.Boolean({ description: 'False: there is speech, mostly in a language that the engine does not support.' }),
  ),
  engineName: Type.Optional(text(shortTextLength)),
  engineVersion: Type.Optional(text(shortTextLength)),
};

const facts = {
  key: Type.Optional(Type.Integer({ ...Key, description: 'The same as its clip’s.' })),
  deviceID: Type.Optional(Key),
  ...captionContent,
  heardUntilMs: Type.Optional(
    Type.Integer({
      ...Moment,
      description: 'Set while the clip is being transcribed: only the sound before it has its words yet.',
    }),
  ),
  correctedBy: Type.Optional(Type.Integer({ ...Key, description: 'The person who wrote or corrected it.' })),
  correctedDate: Type.Optional(DateTime),
  creationDate: Type.Optional(DateTime),
  lastModifiedDate: Type.Optional(DateTime),
};

/** The same for a caption and for each of its versions. */
export const isTimed = Type.Optional(
  Type.Boolean({
    description:
      'Whether the times of all its words were found in the sound. Otherwise they are estimated, because a person wrote ' +
      'the words, or because the engine gave no times.',
  }),
);

export const Caption = Type.Object(
  { ...facts, isTimed, segments: Type.Array(CaptionSegment) },
  { title: 'Caption', description: 'The transcript of a clip, in its current version.' },
);
export type Caption = Static<typeof Caption>;

/** For the live stream, without long transcripts. */
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
          'Stored exactly as given, including white space. Unchanged words keep their times; those of others are estimated.',
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
        description: 'The version that is corrected; if it is not the current one any more: 409.',
      }),
    ),
  },
  { title: 'CaptionCorrection' },
);
export type CaptionCorrection = Static<typeof CaptionCorrection>;

export const defaultMaxLabels = 10;
export const defaultMinConfidence = 50;

/** In the query or in the body. */
const labelLimits = {
  maxLabels: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 50,
      examples: [defaultMaxLabels],
      description: `The maximum number of tags of a clip, by confidence; ${defaultMaxLabels} when missing.`,
    }),
  ),
  minConfidence: Type.Optional(
    Type.Number({ ...Confidence, examples: [50], description: `Percent; ${defaultMinConfidence} when missing.` }),
  ),
};

const CaptionRequest = Type.Object(
  {
    ...labelLimits,
    audioClips: Type.Optional(
      Type.Array(Key, { maxItems: longestClipList, examples: [[]], description: 'Only these clips of the device.' }),
    ),
    ...epochRange,
    again: Type.Optional(
      Type.Boolean({
        examples: [false],
        description: 'Include clips that already have a caption; the result becomes a new version.',
      }),
    ),
    engine: Type.Optional(
      Type.String({
        maxLength: shortTextLength,
        examples: [],
        description:
          'Another engine than that of the device: `fast`, `accurate`, or any configured one. ' +
          '`moonshine` and `whisper` are read as `fast` and `accurate`.',
      }),
    ),
  },
  { title: 'CaptionRequest' },
);
export type CaptionRequest = Static<typeof CaptionRequest>;

const params = { captionID: PathKey };
const ofCaption = [{ record: 'caption', right: 'read', by: 'params.captionID' }] as const;
const ofClip = [{ record: 'audioclip', right: 'write', by: 'params.captionID' }] as const;

export const captionAudio = operation('caption', {
  method: 'POST',
  path: '/v1/caption/audio/{deviceSerial}',
  headers: onceHeaders,
  summary: 'Caption and tag clips of a device',
  description:
    'Enqueues one event for the clips whose sound is available and not captioned yet; the body limits it to ' +
    'some clips or a range. Clips of a device with `autoCaption` are captioned automatically.',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceSerial' }],
  params: { deviceSerial: Type.String({ ...filledText(shortTextLength, 'recorder-17') }) },
  query: labelLimits,
  body: CaptionRequest,
  bodyOptional: true,
  trail: 'Captions by an engine are not recorded. Each is a version of its own.',
});

export const captionWords = operation('caption', {
  method: 'GET',
  path: '/v1/caption/words/{captionID}',
  summary: 'Find the time of each word',
  description:
    'Enqueues an event for that clip: a clip without a caption is captioned, and words whose times are estimated are ' +
    'located in the sound. If the sound is not available yet, this happens after its upload.',
  access: 'caller',
  acts: ofClip,
  params,
});

export const getCaption = operation('caption', {
  method: 'GET',
  path: '/v1/caption/{captionID}',
  summary: 'Read the caption of a clip',
  description:
    'A clip that takes a while is readable while it is being transcribed: with the words so far, `heardUntilMs`, and no ' +
    '`version`. If the transcription has not begun, or has just begun: 404.',
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
  trail: ['caption-downloaded'],
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
  trail: ['caption-downloaded'],
});

export const correctCaption = operation('caption', {
  method: 'PUT',
  path: '/v1/caption/{captionID}',
  summary: 'Correct or write a caption by hand',
  description:
    'With `transcript` or `words`. It becomes a new version, which stays current until a person changes it: a later result of an ' +
    'engine for the same sound is stored as another version.',
  access: 'caller',
  acts: ofClip,
  params,
  body: CaptionCorrection,
  answer: Caption,
  errors: [409],
  trail: ['caption-corrected', 'caption-removed'],
});
