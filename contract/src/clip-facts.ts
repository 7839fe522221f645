import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Key, PathKey } from './values.ts';

/** What is measured in the sound of clips. */

const seconds = { minimum: 0, examples: [12.5] };

const AudioClipFacts = Type.Object(
  {
    audioClipID: Key,
    measuredDate: Type.Optional(
      Type.String({ ...DateTime, description: 'Missing while the sound of the clip is not measured.' }),
    ),
    fault: Type.Optional(
      Type.String({ description: 'Why the sound could not be measured. Then every fact is missing.' }),
    ),
    soundMs: Type.Optional(Type.Integer({ ...Counter, description: 'How much sound was measured.' })),
    levelDb: Type.Optional(
      Type.Number({
        examples: [-32.5],
        description:
          'The root mean square of all samples of all channels in dBFS: 0 if each sample has full scale, −3.01 for a sine of ' +
          'full scale, −150 if all are 0.',
      }),
    ),
    peakDb: Type.Optional(
      Type.Number({
        examples: [-6.02],
        description: 'The largest sample in dBFS, without its sign; −150 if all are 0.',
      }),
    ),
    clippedPercent: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        examples: [0.25],
        description: 'The percentage of the samples at or above 0.999 of full scale, without their sign.',
      }),
    ),
    isDigitalSilence: Type.Optional(
      Type.Boolean({ description: 'Whether all samples of each channel are equal, within half a step of 16 bits.' }),
    ),
    repeatedSeconds: Type.Optional(
      Type.Number({
        ...seconds,
        description:
          'How much of the sound repeats exactly what is directly before it, in blocks of 20 ms to 1 s, as a recorder writes ' +
          'it whose buffer is stuck. Missing for lossy formats, which do not keep samples.',
      }),
    ),
    speechSeconds: Type.Optional(
      Type.Number({
        ...seconds,
        description: 'How long the voice gate hears speech, without pauses. Missing if no voice gate was available.',
      }),
    ),
  },
  { title: 'AudioClipFacts' },
);
export type AudioClipFacts = Static<typeof AudioClipFacts>;

export const getClipFacts = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/facts',
  summary: 'Read what was measured in the sound of a clip',
  description:
    'The facts belong to the sound that the clip has now, or had until retention removed it. A missing fact is unknown.',
  access: 'caller',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params: { audioClipID: PathKey },
  answer: AudioClipFacts,
});

const OlderClipFacts = Type.Object(
  {
    isEnabled: Type.Boolean({
      description: 'Until somebody chooses: true if sound is kept in a folder, false if it is kept in an object store.',
    }),
    isEnded: Type.Boolean({ description: 'Whether every clip was passed.' }),
    readsObjectStore: Type.Boolean({ description: 'Whether the bytes are read from an object store.' }),
    measuredCount: Counter,
    failedCount: Type.Integer({ ...Counter, description: 'Clips whose sound cannot be read.' }),
    leftCount: Type.Integer({ ...Counter, description: 'Clips that are left.' }),
    leftBytes: Type.Integer({ ...Counter, description: 'The size of their sound, which will be read.' }),
  },
  { title: 'OlderClipFacts' },
);
export type OlderClipFacts = Static<typeof OlderClipFacts>;

export const getOlderClipFacts = operation('audioclip', {
  method: 'GET',
  path: '/v1/clipfacts/older',
  summary: 'Read how far the measuring of older clips is',
  description:
    'New clips are always measured. Clips of before are measured newest first, one at a time, by one node. This ' +
    'counts all clips that are left.',
  access: 'admin',
  acts: [],
  answer: OlderClipFacts,
});

export const changeOlderClipFacts = operation('audioclip', {
  method: 'PUT',
  path: '/v1/clipfacts/older',
  summary: 'Switch the measuring of older clips on or off',
  description:
    'Switched off, it stops at once and keeps its place. Switched on after it has ended, it begins with the newest clip again ' +
    'and measures those without facts, also those that could not be measured.',
  access: 'admin',
  acts: [],
  body: Type.Object({ isEnabled: Type.Boolean({ examples: [true] }) }, { title: 'ChangeOlderClipFacts' }),
  answer: OlderClipFacts,
  trail: 'It changes no record: it says what the platform measures.',
});
