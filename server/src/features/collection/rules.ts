import type { Collection, CollectionUpdate } from '@earshot/contract/collection';
import { notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { requireCollection } from '../../access.ts';
import { recordAct } from '../audit/public.ts';
import { changeCollection, findCollection, lockMemberAccess, removeCollection } from './queries.ts';

export async function readCollection(db: Db, caller: Caller, collectionID: number): Promise<Collection> {
  const collection = await findCollection(db, caller, collectionID);
  if (!collection) throw notFound('collection', collectionID);
  return collection;
}

/** Members with write access may rename a collection; only its owner may change the access of members. */
export async function editCollection(db: Pool, caller: Caller, collectionID: number, update: CollectionUpdate) {
  await inTransaction(db, async (tx) => {
    await requireCollection(tx, caller, 'write', collectionID);
    const memberAccess = await lockMemberAccess(tx, collectionID);
    if (update.memberAccess !== undefined && update.memberAccess !== memberAccess) {
      await requireCollection(tx, caller, 'own', collectionID);
    }
    await changeCollection(tx, caller, collectionID, update);
    await recordAct(tx, caller, 'collection-changed', { recordID: collectionID });
  });
}

export async function eraseCollection(db: Pool, caller: Caller, collectionID: number): Promise<void> {
  await inTransaction(db, async (tx) => {
    await requireCollection(tx, caller, 'own', collectionID);
    await removeCollection(tx, collectionID);
    await recordAct(tx, caller, 'collection-removed', { recordID: collectionID });
  });
}
