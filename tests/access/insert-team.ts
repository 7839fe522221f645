import type { Pool } from '@earshot/server/platform/database/connect';
import type { Key } from './inserts.ts';
import { only } from './inserts.ts';

/** A team of the person, or without people, that is a member of the collection. */
export async function insertTeam(db: Pool, userID: number | null, collectionID: number | null = null): Promise<Key> {
  return only(
    await db<Key[]>`
      with team as (insert into teams (team_name) values ('North team') returning key),
      person as (
        insert into team_people (team_id, user_id)
        select key, ${userID}::bigint from team where ${userID}::bigint is not null),
      place as (
        insert into collection_teams (collection_id, team_id)
        select ${collectionID}::bigint, key from team where ${collectionID}::bigint is not null)
      select key from team`,
  );
}
