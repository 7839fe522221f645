import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AudioClip, longestClipList } from './audio-clip.ts';
import { Event } from './event.ts';
import { operation } from './operation.ts';
import { longestURL, PostbackURL } from './postback.ts';
import { epochRange, Epoch, Key, oneOf, shortTextLength, text } from './values.ts';

/** Clips made into one piece of sound, by an agent on the device or by the platform itself. */

export const longestTimeoutSeconds = 86_400;

const UploadURL = Type.String({
  maxLength: longestURL,
  examples: [''],
  description:
    'An http or https URL that gets the sound by PUT. Its query part is shown only to the agent that takes the event. ' +
    'Where the platform itself joins, an address that is not public is refused, unless the operator allows it.',
});

const Timeout = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  maxLength: 40,
  examples: ['90'],
  description:
    'Whole seconds, as text or as a number; hh:mm:ss; or an ISO 8601 duration such as PT5M. ' +
    'At most 24 hours; missing or 0: one hour. The event expires after it.',
});

const Gaps = Type.Unsafe<'silence' | 'close'>({
  ...oneOf('silence', 'close'),
  description: 'What becomes of the time between clips: kept as silence, which is usual, or closed.',
});

export const exportFormats = ['wav', 'flac', 'mp3', 'opus'] as const;

const common = {
  deviceID: Type.Optional(Key),
  uploadURL: Type.Optional(UploadURL),
  postbackURL: Type.Optional(Type.String({ ...PostbackURL, examples: [''] })),
  timeout: Type.Optional(Timeout),
  gaps: Type.Optional(Gaps),
};

const ConcatenateAudioClipsArgs = Type.Object(
  {
    ...common,
    deviceName: Type.Optional(text(shortTextLength)),
    ...epochRange,
    audioClips: Type.Optional(
      Type.Array(AudioClip, {
        maxItems: longestClipList,
        examples: [[]],
        description: 'By their `key`; none: all that overlap the range.',
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<'same' | (typeof exportFormats)[number]>({
        ...oneOf('same', ...exportFormats),
        description: '`same`, which is usual: that of the clips, without re-encoding where they agree; else FLAC.',
      }),
    ),
  },
  { title: 'ConcatenateAudioClipsArgs' },
);
export type ConcatenateAudioClipsArgs = Static<typeof ConcatenateAudioClipsArgs>;

const ExportAudioClips = Type.Object(
  {
    ...common,
    deviceSerial: Type.Optional(text(shortTextLength)),
    startEpoch: Type.Integer({ ...Epoch, examples: [1_794_700_800] }),
    endEpoch: Type.Integer({ ...Epoch, examples: [1_794_787_200] }),
    format: Type.Optional(
      Type.Unsafe<(typeof exportFormats)[number]>({ ...oneOf(...exportFormats), description: 'WAV when missing.' }),
    ),
  },
  { title: 'ExportAudioClips' },
);
export type ExportAudioClips = Static<typeof ExportAudioClips>;

const outcome =
  'The sound goes by HTTP PUT to `uploadURL` when given; else it is kept as a file of the platform for a week, ' +
  'and the event’s `result` names it: `{"fileID": …}`. `postbackURL` gets the outcome.';

export const concatenateAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/concatenate',
  summary: 'Join clips of a device into one',
  description: [
    'Enqueues an event. The clips are those given, else those of the range (none: 400), cut to the range.',
    '`usevrs=true`: the platform’s own worker joins the uploaded files; a clip whose file is not here: 409 that names ' +
      'it. Otherwise a `Transcoding` agent on the device does.',
    outcome,
  ].join('\n\n'),
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceID' }],
  query: {
    usevrs: Type.Optional(Type.Boolean({ examples: [false], description: 'The platform’s own worker does it.' })),
  },
  body: ConcatenateAudioClipsArgs,
  answer: Event,
  errors: [409],
});

export const exportAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/export',
  summary: 'Export a range of a device as one file',
  description:
    'Enqueues an event that the platform’s worker does: every clip of the range whose sound is here, in time order, cut to ' +
    `the range. None: 409. ${outcome}`,
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  body: ExportAudioClips,
  answer: Event,
  errors: [409],
});
