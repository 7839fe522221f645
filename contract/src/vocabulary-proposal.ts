import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, Key, PathKey, text, tightText } from './values.ts';
import { termLength } from './vocabulary.ts';

/** Names and codes that people corrected, as proposals for the vocabulary. */

const TermProposal = Type.Object(
  {
    term: text(termLength, 'Quayside'),
    heardAs: Type.Array(text(termLength), { description: 'What the engine wrote there.' }),
    clipCount: Counter,
    audioClips: Type.Array(Key, { description: 'Some of these clips, the latest first.' }),
  },
  { title: 'VocabularyProposal', description: 'A name or code that people wrote in place of what the engine wrote.' },
);
export type TermProposal = Static<typeof TermProposal>;

const answer = Type.Array(TermProposal);
const description =
  'From corrected transcripts that you may read, those of many clips first. A proposal goes with its clips. Terms that the ' +
  'vocabulary has, and terms that were dismissed, are left out. To accept one, add it with its `heardAs` as `spokenAs`.';

export const listVocabularyProposals = operation('vocabulary', {
  method: 'GET',
  path: '/v1/vocabulary/proposal/list',
  summary: 'List proposals for the vocabulary of the installation',
  description,
  access: 'caller',
  acts: [],
  answer,
});

export const listGroupVocabularyProposals = operation('vocabulary', {
  method: 'GET',
  path: '/v1/vocabulary/collection/{collectionID}/proposal/list',
  summary: 'List proposals for the vocabulary of a device group',
  description,
  access: 'caller',
  acts: [{ record: 'collection', right: 'read', by: 'params.collectionID' }],
  params: { collectionID: PathKey },
  answer,
});

export const dismissVocabularyProposal = operation('vocabulary', {
  method: 'POST',
  path: '/v1/vocabulary/proposal/dismiss',
  repetition: 'harmless',
  summary: 'Dismiss a proposal for the vocabulary',
  description:
    'It is no longer proposed from the clips of devices that you may change. Later corrections may propose it again.',
  access: 'caller',
  acts: [],
  body: Type.Object({ term: tightText(termLength, 'Quayside') }, { title: 'DismissedProposal' }),
  trail: 'A proposal has no effect before it is accepted.',
});
