import type { Db } from '../../platform/database/connect.ts';
import type { Extent, SearchTerm } from '@earshot/contract/words/public';
import { readTerms } from '@earshot/contract/words/public';
import { invalidField } from '../../errors.ts';
import type { KnownTerms, Resolving } from './known-terms.ts';
import { lookUpTerms } from './known-terms.ts';

/** The terms of a search text. */
export function requireTerms(searchText: string, path = 'searchText', extent: Extent = 'parts'): readonly SearchTerm[] {
  const terms = readTerms(searchText, extent);
  if (terms.length === 0) throw invalidField(path, 'must contain a letter or a digit');
  return terms;
}

/** The same, with the variants, similar words and forms that occur in transcripts. */
export const resolveTerms = (db: Db, searchText: string, resolving: Resolving = {}): Promise<KnownTerms> =>
  lookUpTerms(db, requireTerms(searchText, 'searchText', resolving.extent), resolving);
