import type { Static } from 'typebox';
import { Type } from 'typebox';
import { longestFilename } from './file.ts';
import { operation } from './operation.ts';
import { clearable, Epoch, Key, Milliseconds, PathKey, shortTextLength, text, tightText } from './values.ts';

/** How the sound of a clip came, and what people call the clip. */

export const clipTitleLength = shortTextLength;

const AudioClipRecording = Type.Object(
  {
    audioClipID: Type.Optional(Key),
    title: Type.Optional(
      Type.String({
        ...text(longestFilename, 'Dawn chorus'),
        description: 'The title that a person gave; else `filename` without its extension. Missing without either.',
      }),
    ),
    filename: Type.Optional(
      Type.String({
        ...text(longestFilename, 'dawn.flac'),
        description: 'The name of the recording as its sender gave it; missing if the sender gave none.',
      }),
    ),
    sHA256Hash: Type.Optional(
      Type.String({ description: 'Of the sound, in lower case. It stays when retention removes the sound.' }),
    ),
    givenStartTime: Type.Optional(
      Type.Integer({
        ...Epoch,
        description:
          'The start that the sender gave, or that was read from the recording. The clip itself may begin milliseconds ' +
          'later, because another clip has this start, or where a person has moved it.',
      }),
    ),
    givenStartTimeMs: Type.Optional(Milliseconds),
    grownFromID: Type.Optional(
      Type.Integer({
        ...Key,
        description: 'The clip that this one continues: the same file, which grew after its upload.',
      }),
    ),
    soundFault: Type.Optional(
      Type.String({ description: 'What is wrong with the header of the sound, if it had to be read in spite of it.' }),
    ),
  },
  { title: 'AudioClipRecording', description: 'How the sound of a clip came.' },
);
export type AudioClipRecording = Static<typeof AudioClipRecording>;

const AudioClipRecordingUpdate = Type.Object(
  {
    title: Type.Unsafe<string | null>({
      ...clearable(tightText(clipTitleLength, 'Dawn chorus')),
      description: '`null` goes back to the name of the file.',
    }),
  },
  { title: 'AudioClipRecordingUpdate' },
);

const params = { audioClipID: PathKey };

export const getAudioClipRecording = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/recording',
  summary: 'Read the title of a clip and how its sound came',
  description: 'Of a clip that never had sound, only `audioClipID`, and the title if a person gave one.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  answer: AudioClipRecording,
});

export const updateAudioClipRecording = operation('audioclip', {
  method: 'PUT',
  path: '/v1/audioclip/{audioClipID}/recording',
  summary: 'Change the title of a clip',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  body: AudioClipRecordingUpdate,
  answer: AudioClipRecording,
  trail: ['clip-renamed'],
});
