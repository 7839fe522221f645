import type { NewTerms, VocabularyTerm } from '@earshot/contract/vocabulary';
import { mostTerms } from '@earshot/contract/vocabulary';
import type { TermProposal } from '@earshot/contract/vocabulary-proposal';
import { conflict, invalidField } from '../../errors.ts';
import type { Pool, Db } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireCollection } from '../../access.ts';
import { listProposals } from './proposal-queries.ts';
import type { TermScope } from './queries.ts';
import { countTerms, listTerms, lockScope, putTerms, removeTerms, findTermsForDevice } from './queries.ts';

export async function writableGroup(db: Pool, caller: Caller, collectionID: number): Promise<number> {
  await requireCollection(db, caller, 'write', collectionID);
  return collectionID;
}

export async function readGroupTerms(db: Pool, caller: Caller, collectionID: number): Promise<VocabularyTerm[]> {
  await requireCollection(db, caller, 'read', collectionID);
  return listTerms(db, collectionID);
}

export async function readGroupProposals(db: Pool, caller: Caller, collectionID: number): Promise<TermProposal[]> {
  await requireCollection(db, caller, 'read', collectionID);
  return listProposals(db, caller, collectionID);
}

export async function storeTerms(
  db: Pool,
  caller: Caller,
  scope: TermScope,
  { terms }: NewTerms,
): Promise<VocabularyTerm[]> {
  const seen = new Set<string>();
  for (const [at, { term }] of terms.entries()) {
    if (!/[\p{L}\p{N}]/u.test(term)) throw invalidField(`terms[${at}].term`, 'must contain a letter or a digit');
    if (seen.has(term.toLowerCase())) throw invalidField(`terms[${at}].term`, 'must not occur twice');
    seen.add(term.toLowerCase());
  }
  return inTransaction(db, async (tx) => {
    await lockScope(tx, scope);
    await putTerms(tx, caller, scope, terms);
    if ((await countTerms(tx, scope)) > mostTerms)
      throw conflict(`A vocabulary has at most ${mostTerms} terms. Remove some first.`);
    return listTerms(tx, scope);
  });
}

export const dropTerms = (db: Pool, scope: TermScope, terms: readonly string[]): Promise<VocabularyTerm[]> =>
  inTransaction(db, async (tx) => {
    await lockScope(tx, scope);
    await removeTerms(tx, scope, terms);
    return listTerms(tx, scope);
  });

/** More would slow the engines down; terms of device groups come before those of the installation. */
const mostForDevice = 1_000;

/** The terms that the engine expects in clips of a device. */
export const findVocabulary = (db: Db, deviceID: number): Promise<readonly string[]> =>
  findTermsForDevice(db, deviceID, mostForDevice);
