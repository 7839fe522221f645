import type { Static } from 'typebox';
import { Type } from 'typebox';
import { Caption, captionContent, CaptionVersionNumber, isTimed } from './caption.ts';
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

export const restoreCaption = operation('caption', {
  method: 'POST',
  path: '/v1/caption/restore/{captionID}',
  summary: 'Restore an earlier version of a caption',
  description: 'It becomes a new manual version. If the version does not exist: 404.',
  access: 'caller',
  acts: [{ record: 'caption', right: 'write', by: 'params.captionID' }],
  params,
  body: Type.Object({ version: CaptionVersionNumber }, { title: 'CaptionRestore' }),
  answer: Caption,
});
