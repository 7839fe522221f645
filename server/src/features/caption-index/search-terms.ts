import type { Db } from '../../platform/database/connect.ts';
import type { SearchTerm } from '@earshot/contract/search-terms';
import { readTerms } from '@earshot/contract/search-terms';
import { invalidField } from '../../errors.ts';
import type { KnownTerms } from './known-terms.ts';
import { lookUpTerms } from './known-terms.ts';
import type { LookUpForms } from './vocabulary-forms.ts';

/** The terms of a search text. */
export function requireTerms(searchText: string, path = 'searchText'): readonly SearchTerm[] {
  const terms = readTerms(searchText);
  if (terms.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return terms;
}

/** The same, with the variants, similar words and forms that occur in transcripts. */
export const resolveTerms = (db: Db, searchText: string, lookUpForms?: LookUpForms): Promise<KnownTerms> =>
  lookUpTerms(db, requireTerms(searchText), lookUpForms);
