import * as contract from '@earshot/contract/vocabulary';
import * as proposals from '@earshot/contract/vocabulary-proposal';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { listTerms } from './queries.ts';
import { dismissTerm, listProposals } from './proposal-queries.ts';
import { storeTerms, dropTerms, readGroupProposals, readGroupTerms, writableGroup } from './rules.ts';

export function serveVocabulary(http: HttpApp, db: Pool): void {
  serve(http, contract.listVocabulary, () => listTerms(db, null));
  serve(http, contract.addVocabulary, ({ caller, body }) => storeTerms(db, caller, null, body));
  serve(http, contract.removeVocabulary, ({ body }) => dropTerms(db, null, body.terms));
  serve(http, proposals.listVocabularyProposals, ({ caller }) => listProposals(db, caller, null));
  serve(http, proposals.listGroupVocabularyProposals, ({ caller, params }) =>
    readGroupProposals(db, caller, params.collectionID),
  );
  serve(http, proposals.dismissVocabularyProposal, async ({ caller, body }) => {
    await dismissTerm(db, caller, body.term);
  });
  serve(http, contract.listGroupVocabulary, ({ caller, params }) => readGroupTerms(db, caller, params.collectionID));
  serve(http, contract.addGroupVocabulary, async ({ caller, params, body }) =>
    storeTerms(db, caller, await writableGroup(db, caller, params.collectionID), body),
  );
  serve(http, contract.removeGroupVocabulary, async ({ caller, params, body }) =>
    dropTerms(db, await writableGroup(db, caller, params.collectionID), body.terms),
  );
}
