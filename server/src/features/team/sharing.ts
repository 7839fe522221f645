import type { Team } from '@earshot/contract/team';
import { requireCollection } from '../../access.ts';
import { notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordAct } from '../audit/public.ts';
import { findTeamsOfCollection, lockTeam } from './queries.ts';
import type { TeamPlace } from './share-queries.ts';
import { insertShare, removeShare } from './share-queries.ts';

/** Who may add people to a collection may add a team: any, because everybody knows the names of teams. */
export const shareWith = (db: Pool, caller: Caller, place: TeamPlace): Promise<void> =>
  changeShare(db, caller, place, async (tx) => {
    if (!(await insertShare(tx, caller, place))) return;
    await recordAct(tx, caller, 'item-shared', { recordID: place.collectionID });
    await recordAct(tx, caller, 'team-shared', { recordID: place.teamID });
  });

export const stopSharingWith = (db: Pool, caller: Caller, place: TeamPlace): Promise<void> =>
  changeShare(db, caller, place, async (tx) => {
    if (!(await removeShare(tx, place))) return;
    await recordAct(tx, caller, 'item-unshared', { recordID: place.collectionID });
    await recordAct(tx, caller, 'team-unshared', { recordID: place.teamID });
  });

async function changeShare(db: Pool, caller: Caller, place: TeamPlace, change: (tx: Db) => Promise<void>) {
  await inTransaction(db, async (tx) => {
    await requireCollection(tx, caller, 'write', place.collectionID);
    if (!(await lockTeam(tx, place.teamID))) throw notFound('team', place.teamID);
    await change(tx);
  });
}

export async function findTeamsOf(db: Db, caller: Caller, collectionID: number): Promise<Team[]> {
  await requireCollection(db, caller, 'read', collectionID);
  return findTeamsOfCollection(db, collectionID);
}
