import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Caption, captionContent, CaptionVersionNumber, isTimed, Moment } from './caption.ts';
import { operation } from './operation.ts';
import { DateTime, Key, oneOf, PathKey } from './values.ts';

const CaptionVersion = Type.Object(
  {
    ...captionContent,
    origin: Type.Optional(oneOf('engine', 'hand')),
    isCurrent: Type.Optional(Type.Boolean()),
    isTimed,
    basedOn: Type.Optional(
      Type.Integer({ ...CaptionVersionNumber, description: 'The version that was corrected, timed or restored.' }),
    ),
    createdBy: Type.Optional(Key),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'CaptionVersion' },
);
export type CaptionVersion = Static<typeof CaptionVersion>;

const CaptionConfirmation = Type.Object(
  {
    fromMs: Type.Optional(Type.Integer({ ...Moment, examples: [0], description: 'From the start when missing.' })),
    toMs: Type.Optional(Type.Integer({ ...Moment, examples: [60_000], description: 'To the end when missing.' })),
    version: Type.Optional(
      Type.Integer({
        ...CaptionVersionNumber,
        examples: [],
        description: 'The version that was read; if it is not the current one any more: 409.',
      }),
    ),
  },
  { title: 'CaptionConfirmation' },
);
export type CaptionConfirmation = Static<typeof CaptionConfirmation>;

const params = { captionID: PathKey };

export const listCaptionVersions = operation('caption', {
  method: 'GET',
  path: '/v1/caption/versions/{captionID}',
  summary: 'List the versions of a caption, newest first',
  access: 'caller',
  acts: [{ record: 'caption', right: 'read', by: 'params.captionID' }],
  params,
  answer: Type.Array(CaptionVersion),
});

export const confirmCaption = operation('caption', {
  method: 'POST',
  path: '/v1/caption/confirm/{captionID}',
  repetition: 'differs',
  summary: 'Confirm words whose language was in doubt',
  description:
    'The unconfirmed words of segments that begin in the given time become words of the caption, in a new manual ' +
    'version. If there are none, nothing changes.',
  access: 'caller',
  acts: [{ record: 'caption', right: 'write', by: 'params.captionID' }],
  params,
  body: CaptionConfirmation,
  bodyOptional: true,
  answer: Caption,
  errors: [409],
  trail: ['caption-corrected'],
});

export const restoreCaption = operation('caption', {
  method: 'POST',
  path: '/v1/caption/restore/{captionID}',
  repetition: 'differs',
  summary: 'Restore an earlier version of a caption',
  description: 'It becomes a new manual version. If the version does not exist: 404.',
  access: 'caller',
  acts: [{ record: 'caption', right: 'write', by: 'params.captionID' }],
  params,
  body: Type.Object({ version: CaptionVersionNumber }, { title: 'CaptionRestore' }),
  answer: Caption,
  trail: ['caption-corrected', 'caption-removed'],
});
