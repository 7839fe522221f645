import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AudioClip, longestClipList } from './audio-clip.ts';
import { Event } from './event.ts';
import { operation } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { longestURL, PostbackURL } from './postback.ts';
import { epochRange, Epoch, Key, oneOf, shortTextLength, text } from './values.ts';

/** Joins clips into one piece of sound, by an agent on the device or by the platform itself. */

export const longestTimeoutSeconds = 86_400;

const UploadURL = Type.String({
  maxLength: longestURL,
  examples: [''],
  description:
    'An http or https URL to which the sound is sent by PUT. Its query part is shown only to the agent that takes the event. ' +
    'If the platform itself joins the clips, an address that is not public is refused, unless the operator allows it.',
});

const Timeout = Type.Unsafe<string | number>({
  type: ['string', 'number'],
  maxLength: 40,
  examples: ['90'],
  description:
    'Whole seconds, as text or as a number; hh:mm:ss; or an ISO 8601 duration such as PT5M. ' +
    'At most 24 hours; missing or 0: one hour. The event expires after this time.',
});

const Gaps = Type.Unsafe<'silence' | 'close'>({
  ...oneOf('silence', 'close'),
  description: 'How to treat the time between clips: keep it as silence, which is the default, or close it.',
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
        description: 'By their `key`; empty: all clips that overlap the range.',
      }),
    ),
    format: Type.Optional(
      Type.Unsafe<'same' | (typeof exportFormats)[number]>({
        ...oneOf('same', ...exportFormats),
        description:
          '`same`, the default: the format of the clips, without re-encoding if all have the same; else FLAC.',
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
  'The sound is sent by HTTP PUT to `uploadURL` if given; else it is kept as a file of the platform for a week, ' +
  'and the event’s `result` names it: `{"fileID": …}`. The outcome is posted to `postbackURL`.';

export const concatenateAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/concatenate',
  headers: onceHeaders,
  summary: 'Join clips of a device into one',
  description: [
    'Enqueues an event. It joins the given clips, else those of the range (none: 400), cut to the range.',
    '`usevrs=true`: the platform’s own worker joins the uploaded files; if the file of a clip is not available: 409 that names ' +
      'it. Otherwise a `Transcoding` agent on the device joins them.',
    outcome,
  ].join('\n\n'),
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceID' }],
  query: {
    usevrs: Type.Optional(
      Type.Boolean({ examples: [false], description: 'The platform’s own worker joins the clips.' }),
    ),
  },
  body: ConcatenateAudioClipsArgs,
  answer: Event,
  errors: [409],
  trail: ['sound-exported'],
});

export const exportAudioClips = operation('audioclip', {
  method: 'POST',
  path: '/v1/audioclip/export',
  headers: onceHeaders,
  summary: 'Export a range of a device as one file',
  description: [
    'Enqueues an event for the platform’s worker: every clip of the range whose sound is available, in time order, cut to ' +
      `the range. None: 409. ${outcome}`,
    'Equal requests of one person are one: while the export is in progress or its result is kept, and the clips have the ' +
      'same sound and times, the response is that event. Requests with `uploadURL` or `postbackURL` are never equal.',
    'A person may have a limited number of exports of other people’s devices at once, and their results a limited number ' +
      'of bytes together: 429. `GET /v1/audioclip/export/list` tells which they are and what the limits are. The worker ' +
      'checks the limit of bytes and the right to read again before it stores or sends the result.',
  ].join('\n\n'),
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  body: ExportAudioClips,
  answer: Event,
  errors: [409],
  trail: ['sound-exported'],
});
