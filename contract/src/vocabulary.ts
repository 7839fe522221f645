import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { DateTime, Key, modifiedFields, PathKey, text, tightText } from './values.ts';

/** Names, call signs, streets and codes that are likely to be said. */

export const mostTerms = 500;
export const mostForms = 10;
export const termLength = 60;

const Term = Type.String({
  ...tightText(termLength, 'Quayside'),
  description: 'As it is written in transcripts. Case is ignored when two terms are compared.',
});
const Forms = Type.Array(tightText(termLength, 'key side'), {
  maxItems: mostForms,
  examples: [['key side']],
  description: 'How it may sound or be written otherwise. A search for one form also finds the others.',
});

const VocabularyTerm = Type.Object(
  {
    key: Type.Optional(Key),
    collectionID: Type.Optional(
      Type.Integer({ ...Key, description: 'The device group that uses it; not set: the whole installation.' }),
    ),
    term: Type.Optional(text(termLength)),
    spokenAs: Type.Optional(Type.Array(text(termLength))),
    creationDate: Type.Optional(DateTime),
    ...modifiedFields,
  },
  { title: 'VocabularyTerm', description: 'A name or term that the speech engine expects.' },
);
export type VocabularyTerm = Static<typeof VocabularyTerm>;

const NewTerms = Type.Object(
  {
    terms: Type.Array(Type.Object({ term: Term, spokenAs: Type.Optional(Forms) }, { title: 'NewVocabularyTerm' }), {
      minItems: 1,
      maxItems: mostTerms,
      examples: [[{ term: 'Quayside', spokenAs: ['key side'] }]],
    }),
  },
  { title: 'NewVocabularyTerms' },
);
export type NewTerms = Static<typeof NewTerms>;

const RemovedTerms = Type.Object(
  { terms: Type.Array(Term, { minItems: 1, maxItems: mostTerms, examples: [['Quayside']] }) },
  { title: 'RemovedVocabularyTerms' },
);

const Terms = Type.Array(VocabularyTerm);
const params = { collectionID: PathKey };
const reads = [{ record: 'collection', right: 'read', by: 'params.collectionID' }] as const;
const writes = [{ record: 'collection', right: 'write', by: 'params.collectionID' }] as const;

const effect =
  'The engine prefers them where the sound is unclear, in clips that are transcribed from now on. A word that it wrote ' +
  'for that reason has `heardAs` in its caption: what it would have written otherwise.';
const adding = `A term that exists gets the new \`spokenAs\`. Returns the whole list. If it would have more than ${mostTerms} terms: 409.`;
const removing = 'Terms that do not exist are ignored. Returns the whole list. Captions stay as they are.';

export const listVocabulary = operation('vocabulary', {
  method: 'GET',
  path: '/v1/vocabulary',
  summary: 'List the vocabulary of the installation, by term',
  description: effect,
  access: 'caller',
  acts: [],
  answer: Terms,
});

export const addVocabulary = operation('vocabulary', {
  method: 'POST',
  path: '/v1/vocabulary',
  repetition: 'harmless',
  summary: 'Add terms to the vocabulary of the installation',
  description: adding,
  access: 'admin',
  acts: [],
  body: NewTerms,
  answer: Terms,
  errors: [409],
  trail: 'It concerns later captions by an engine.',
});

export const removeVocabulary = operation('vocabulary', {
  method: 'POST',
  path: '/v1/vocabulary/remove',
  repetition: 'harmless',
  summary: 'Remove terms from the vocabulary of the installation',
  description: removing,
  access: 'admin',
  acts: [],
  body: RemovedTerms,
  answer: Terms,
  trail: 'It concerns later captions by an engine.',
});

export const listGroupVocabulary = operation('vocabulary', {
  method: 'GET',
  path: '/v1/vocabulary/collection/{collectionID}',
  summary: 'List the vocabulary of a device group, by term',
  description: `It applies to the devices of the collection that it gives access to. ${effect}`,
  access: 'caller',
  acts: reads,
  params,
  answer: Terms,
});

export const addGroupVocabulary = operation('vocabulary', {
  method: 'POST',
  path: '/v1/vocabulary/collection/{collectionID}',
  repetition: 'harmless',
  summary: 'Add terms to the vocabulary of a device group',
  description: adding,
  access: 'caller',
  acts: writes,
  params,
  body: NewTerms,
  answer: Terms,
  errors: [409],
  trail: 'It concerns later captions by an engine.',
});

export const removeGroupVocabulary = operation('vocabulary', {
  method: 'POST',
  path: '/v1/vocabulary/collection/{collectionID}/remove',
  repetition: 'harmless',
  summary: 'Remove terms from the vocabulary of a device group',
  description: removing,
  access: 'caller',
  acts: writes,
  params,
  body: RemovedTerms,
  answer: Terms,
  trail: 'It concerns later captions by an engine.',
});
