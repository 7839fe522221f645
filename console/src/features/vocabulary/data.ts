import type { NewTerms, VocabularyTerm } from '@earshot/contract/vocabulary';
import type { TermProposal } from '@earshot/contract/vocabulary-proposal';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

/** The vocabulary of a device group, or of the installation. */
export type VocabularyScope = { readonly collectionID: number } | 'installation';

export const vocabularyOf = (scope: VocabularyScope): Query<readonly VocabularyTerm[]> => ({
  key: `vocabulary ${scope === 'installation' ? '' : scope.collectionID}`,
  load: () => (scope === 'installation' ? api.listVocabulary() : api.listGroupVocabulary({ params: scope })),
});

export const proposalsOf = (scope: VocabularyScope): Query<readonly TermProposal[]> => ({
  key: `vocabulary proposals ${scope === 'installation' ? '' : scope.collectionID}`,
  load: () =>
    scope === 'installation' ? api.listVocabularyProposals() : api.listGroupVocabularyProposals({ params: scope }),
});

export const sendTerms = (scope: VocabularyScope, body: NewTerms): Promise<unknown> =>
  scope === 'installation' ? api.addVocabulary({ body }) : api.addGroupVocabulary({ params: scope, body });

export const removeTerm = (scope: VocabularyScope, term: string): Promise<unknown> =>
  scope === 'installation'
    ? api.removeVocabulary({ body: { terms: [term] } })
    : api.removeGroupVocabulary({ params: scope, body: { terms: [term] } });
