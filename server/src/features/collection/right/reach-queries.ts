import type { Reach } from '@earshot/contract/reach';
import type { Role } from '@earshot/contract/user';
import { collectionRight, deviceRight, givingCollections } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { highest } from './queries.ts';

/** The person, as the caller whose rights are shown. */
export async function findAsCaller(db: Db, userID: number): Promise<Caller | undefined> {
  const [row] = await db<{ role: Role }[]>`select role from users where key = ${userID}`;
  return row && { userID, role: row.role, credential: 'reach' };
}

const mostCollections = 1_000;

export async function findReachedCollections(db: Db, person: Caller): Promise<Reach['collections']> {
  return db<Reach['collections']>`
    select c.key as "collectionID", c.collection_name as "collectionName",
      ${highest(db, (right) => collectionRight(db, person, right))} as right,
      c.user_id = ${person.userID} as "isOwner",
      exists (
        select 1 from collection_items m where m.member_id = ${person.userID} and m.collection_id = c.key) as "isMember",
      coalesce((
        select jsonb_agg(jsonb_build_object('teamID', t.key, 'teamName', t.team_name) order by lower(t.team_name), t.key)
        from team_people p join collection_teams g on g.team_id = p.team_id join teams t on t.key = p.team_id
        where p.user_id = ${person.userID} and g.collection_id = c.key), '[]') as teams
    from collections c where ${collectionRight(db, person, 'read')}
    order by lower(c.collection_name), c.key limit ${mostCollections}`;
}

export async function findReachedDevices(
  db: Db,
  person: Caller,
  after: number,
  most: number,
): Promise<Reach['devices']> {
  return db<Reach['devices']>`
    select d.key as "deviceID", d.device_name as "deviceName",
      ${highest(db, (right) => deviceRight(db, person, right))} as right,
      d.user_id = ${person.userID} as "isOwner", ${givingCollections(db, person)} as "collectionIDs"
    from devices d where d.key > ${after} and ${deviceRight(db, person, 'read')} order by d.key limit ${most}`;
}
