import type { Static } from 'typebox';
import { Type } from 'typebox';
import { eventStatuses } from './event-status.ts';
import { operation } from './operation.ts';
import { Counter, DateTime, Epoch, Key, shortTextLength, text } from './values.ts';

/** The exports that are in progress or kept, and how many more a person may have. */

const SoundExport = Type.Object(
  {
    eventID: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    userID: Type.Optional(
      Type.Integer({ ...Key, description: 'The person who asked for it; missing if the person was removed.' }),
    ),
    eventStatus: Type.Optional(
      Type.Integer({ ...Key, description: eventStatuses.map(({ key, name }) => `${key} ${name}`).join(', ') }),
    ),
    startEpoch: Type.Optional(Epoch),
    endEpoch: Type.Optional(Epoch),
    format: Type.Optional(text(shortTextLength, 'wav')),
    fileID: Type.Optional(Type.Integer({ ...Key, description: 'The result, when it is available.' })),
    fileSize: Type.Optional(Counter),
    creationDate: Type.Optional(DateTime),
    removalDate: Type.Optional(
      Type.String({
        ...DateTime,
        description: 'When the result is removed, unless its owner or an admin placed it in a collection.',
      }),
    ),
  },
  { title: 'SoundExport', description: 'An export that is in progress, or whose result is kept.' },
);
export type SoundExport = Static<typeof SoundExport>;

const SoundExports = Type.Object(
  {
    exports: Type.Array(SoundExport),
    mostExports: Type.Integer({
      ...Counter,
      description: 'How many exports of other people’s devices a person may have at once. Admins have no limit.',
    }),
    mostBytes: Type.Integer({ ...Counter, description: 'How many bytes the results of these may have together.' }),
    countedExports: Type.Integer({ ...Counter, description: 'How many you have.' }),
    countedBytes: Type.Integer({ ...Counter, description: 'The bytes of their results.' }),
  },
  { title: 'SoundExports' },
);
export type SoundExports = Static<typeof SoundExports>;

export const listSoundExports = operation('audioclip', {
  method: 'GET',
  path: '/v1/audioclip/export/list',
  summary: 'List exports in progress and exports that are kept',
  description:
    'Your own exports, and those that other people made of devices that you own, newest first, at most 1,000. ' +
    'An export in progress is cancelled by `DELETE /v1/event/{eventID}`, a result removed by `DELETE /v1/file/{fileID}`; ' +
    'the person who asked for it may do both.',
  access: 'caller',
  acts: [],
  answer: SoundExports,
});
