import { recordChanges } from '../../platform/changes/record-changes.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

export interface TeamPlace {
  readonly collectionID: number;
  readonly teamID: number;
}

const changedCollection = (db: Db, source: Fragment) =>
  ({
    kind: 'collection',
    change: 'changed',
    rows: db`(select collection_id as key, null::bigint as device_id from ${source} x)`,
  }) as const;

/** False: the team is a member already. */
export async function insertShare(tx: Db, { userID }: Caller, { collectionID, teamID }: TeamPlace): Promise<boolean> {
  const rows = await tx`
    with added as (
      insert into collection_teams (collection_id, team_id, created_by) values (${collectionID}, ${teamID}, ${userID})
      on conflict do nothing returning collection_id),
    logged as (${recordChanges(tx, changedCollection(tx, tx`added`))})
    select 1 from added`;
  return rows.length === 1;
}

/** For the people of the team the collection is recorded as removed. False: the team was no member. */
export async function removeShare(tx: Db, { collectionID, teamID }: TeamPlace): Promise<boolean> {
  const rows = await tx`
    with gone as (
      delete from collection_teams where collection_id = ${collectionID} and team_id = ${teamID}
      returning collection_id, team_id),
    logged as (${recordChanges(tx, changedCollection(tx, tx`gone`), {
      kind: 'collection',
      change: 'removed',
      rows: tx`(
        select g.collection_id as key, null::bigint as device_id,
          array(select p.user_id from team_people p where p.team_id = g.team_id) as people
        from gone g)`,
      readers: tx`r.people`,
    })})
    select 1 from gone`;
  return rows.length === 1;
}
