import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { oneOf, PathKey, tightText } from './values.ts';

/** The languages that people speak where devices record. */

export const mostLanguages = 20;

const Languages = Type.Array(tightText(35, 'en'), { maxItems: mostLanguages, examples: [['en']] });

const LanguageSetting = Type.Object(
  {
    languages: Type.Array(Type.String({ examples: ['en'] }), {
      description: 'Set here, as language tags; empty: not set.',
    }),
    appliedLanguages: Type.Array(Type.String({ examples: ['en'] }), {
      description: 'What transcriptions follow here; empty: speech may be in any language.',
    }),
    appliedFrom: Type.Optional(
      Type.Unsafe<'device' | 'collection' | 'installation'>({
        ...oneOf('device', 'collection', 'installation'),
        description: 'Where the languages that are followed are set; missing if nowhere.',
      }),
    ),
  },
  { title: 'SpokenLanguages' },
);
export type LanguageSetting = Static<typeof LanguageSetting>;

const SpokenLanguagesUpdate = Type.Object(
  {
    languages: Type.Unsafe<Static<typeof Languages>>({
      ...Languages,
      description: 'Language tags such as `en` or `pt-BR`; empty: not set.',
    }),
  },
  { title: 'SpokenLanguagesUpdate' },
);

const effect =
  'Transcriptions from now on follow it: with exactly one language, no speech is taken for another one. Captions stay as ' +
  'they are until their clips are transcribed again.';

const answer = LanguageSetting;
const ofDevice = {
  path: '/v1/device/{deviceID}/language',
  params: { deviceID: PathKey },
  answer,
} as const;
const ofCollection = {
  path: '/v1/collection/{collectionID}/language',
  params: { collectionID: PathKey },
  answer,
} as const;

export const getInstallationLanguages = operation('spokenlanguage', {
  method: 'GET',
  path: '/v1/installation/language',
  summary: 'Read the spoken languages of the installation',
  access: 'caller',
  acts: [],
  answer,
});

export const setInstallationLanguages = operation('spokenlanguage', {
  method: 'PUT',
  path: '/v1/installation/language',
  summary: 'Set the spoken languages of the installation',
  description: `For devices without a setting of their own or of their collections. ${effect}`,
  access: 'admin',
  acts: [],
  body: SpokenLanguagesUpdate,
  answer,
  trail: ['installation-changed'],
});

export const getCollectionLanguages = operation('spokenlanguage', {
  method: 'GET',
  ...ofCollection,
  summary: 'Read the spoken languages of a collection',
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
});

export const setCollectionLanguages = operation('spokenlanguage', {
  method: 'PUT',
  ...ofCollection,
  summary: 'Set the spoken languages of a collection',
  description:
    'For its devices without a setting of their own, if the owner of the device or an admin owns the collection and the ' +
    `collection gives access to the device. A device in several such collections has all their languages. ${effect}`,
  access: 'caller',
  acts: [{ record: 'collection', right: 'write', by: 'params.collectionID' }],
  body: SpokenLanguagesUpdate,
  trail: ['collection-changed'],
});

export const getDeviceLanguages = operation('spokenlanguage', {
  method: 'GET',
  ...ofDevice,
  summary: 'Read the spoken languages of a device',
  description: 'Without a setting of its own, a device follows its collections, and else the installation.',
  access: 'caller',
  acts: [{ record: 'device', right: 'read', by: 'params.deviceID' }],
});

export const setDeviceLanguages = operation('spokenlanguage', {
  method: 'PUT',
  ...ofDevice,
  summary: 'Set the spoken languages of a device',
  description: effect,
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  body: SpokenLanguagesUpdate,
  trail: ['device-changed'],
});
