import type { Static } from 'typebox';
import { Type } from 'typebox';
import { AudioClip } from './audio-clip.ts';
import { operation } from './operation.ts';
import { Counter, Key, PathKey } from './values.ts';

/** The sound of a clip: upload, play, waveform. */

const mostPoints = 20_000;

const Waveform = Type.Object(
  {
    audioClipID: Key,
    durationMs: Counter,
    pointsPerSecond: Type.Number({ minimum: 0, examples: [20] }),
    peaks: Type.Array(Type.Integer({ minimum: -128, maximum: 127 }), {
      description: 'For each point its lowest and highest sample, from −128 to 127: `[low, high, low, high, …]`.',
    }),
  },
  { title: 'Waveform' },
);
export type Waveform = Static<typeof Waveform>;

const params = { audioClipID: PathKey };

export const getAudioClipContent = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/content',
  summary: 'Play the sound of a clip',
  description: 'If the sound of the clip is not available: 409, with its state.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  bytes: 'sent',
  errors: [409],
  trail: ['sound-played'],
});

export const putAudioClipContent = operation('audioclip', {
  method: 'PUT',
  path: '/v1/audioclip/{audioClipID}/content',
  repetition: 'differs',
  summary: 'Upload the sound of a clip in one request',
  description:
    'Stores the bytes as a file of the device, sets `fileID`, `fileSize` and status 3, and fills in length and bitrate ' +
    'when they are missing. WAV, FLAC, MP3, Ogg/Opus, AAC/M4A and WebM are accepted; anything else: 415. Sound of more than 24 ' +
    'hours, or that takes too much processor time to read: 413. Existing sound is ' +
    'replaced and stays as a version; by a device key, and in a locked clip, it is not: 409, unless the bytes are the same. ' +
    'From a device key, bytes that a person has replaced or taken away are accepted too, and change nothing. For large sound over a bad link, upload a file in pieces (`POST /v1/file`) instead; ' +
    'a signed request may contain at most 16 MiB.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  bytes: 'received',
  answer: AudioClip,
  errors: [409, 415],
  trail: ['sound-replaced'],
});

export const getWaveform = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/waveform',
  summary: 'Read the waveform of a clip',
  description: 'Computed once and kept. If the sound of the clip is not available: 409.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  query: {
    points: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostPoints,
        examples: [800],
        description: 'The maximum number of points; 2,000 when missing.',
      }),
    ),
  },
  answer: Waveform,
  errors: [409],
});
