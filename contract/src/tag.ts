import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, Key, Milliseconds, modifiedFields, PathKey, text, tightText } from './values.ts';

export const tagNameLength = 100;

export const Confidence = Type.Number({
  minimum: 0,
  maximum: 100,
  examples: [87.5],
  description: 'Percent, 0 to 100.',
});

export const Tag = Type.Object(
  {
    key: Type.Optional(Key),
    tagName: Type.Optional(text(tagNameLength)),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'Tag', description: 'A label of a sound.' },
);
export type Tag = Static<typeof Tag>;

export const AudioClipTag = Type.Object(
  {
    key: Type.Optional(Key),
    audioClipID: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    tagID: Type.Optional(Key),
    timestamp: Type.Optional(Counter),
    timestampMs: Type.Optional(Milliseconds),
    confidence: Type.Optional(Confidence),
    creationDate: Type.Optional(DateTime),
    tagName: Type.Optional(text(tagNameLength)),
  },
  { title: 'AudioClipTag', description: 'A tag at a time in a clip.' },
);
export type AudioClipTag = Static<typeof AudioClipTag>;

const CreateAudioClipTag = Type.Object(
  {
    tagID: Type.Optional(Type.Integer({ ...Key, examples: [], description: 'Instead of `tagName`.' })),
    tagName: Type.Optional(
      Type.String({
        ...tightText(tagNameLength, 'dog'),
        description: 'Case is ignored; the tag is created if it does not exist. White space at either end: 400.',
      }),
    ),
    timestamp: Type.Optional(
      Type.Integer({ ...Counter, examples: [], description: "Within the clip; missing: the clip's start." }),
    ),
    timestampMs: Type.Optional(Milliseconds),
    confidence: Type.Optional(Type.Number({ ...Confidence, description: 'Percent; 100 when missing.' })),
  },
  { title: 'CreateAudioClipTag' },
);
export type CreateAudioClipTag = Static<typeof CreateAudioClipTag>;

const params = { audioClipID: PathKey };

export const listTags = operation('tag', {
  method: 'GET',
  path: '/v1/tag/list',
  summary: 'List the tags of the clips that you may read',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  answer: Type.Array(Tag),
});

export const listAudioClipTags = operation('tag', {
  method: 'GET',
  path: '/v1/audioclip/{audioClipID}/tag/list',
  summary: 'List the tags of a clip, in time order',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'read', by: 'params.audioClipID' }],
  params,
  answer: Type.Array(AudioClipTag),
});

export const createAudioClipTag = operation('tag', {
  method: 'POST',
  path: '/v1/audioclip/{audioClipID}/tag',
  repetition: 'harmless',
  summary: 'Tag a clip by hand',
  description: 'Adding the same tag at the same time again returns the existing one.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'audioclip', right: 'write', by: 'params.audioClipID' }],
  params,
  body: CreateAudioClipTag,
  answer: AudioClipTag,
  trail: ['clip-tagged'],
});

export const deleteAudioClipTag = operation('tag', {
  method: 'DELETE',
  path: '/v1/audioclip/{audioClipID}/tag/{audioClipTagID}',
  summary: 'Remove a tag from a clip',
  access: 'caller',
  acts: [
    { record: 'audioclip', right: 'write', by: 'params.audioClipID' },
    { record: 'audiocliptag', right: 'write', by: 'params.audioClipTagID' },
  ],
  params: { ...params, audioClipTagID: PathKey },
  trail: ['clip-untagged'],
});
