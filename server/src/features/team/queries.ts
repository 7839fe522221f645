import type { Team, TeamDuty, TeamName } from '@earshot/contract/team';
import { teamRight } from '../../access.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';
import { changedColumns } from '../../platform/database/changed-columns.ts';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Stored } from '../../platform/database/stored.ts';
import type { Caller } from '../../platform/http/caller.ts';

export type StoredTeam = Omit<Stored<Team, 'key' | 'teamName'>, 'timeZone'> & { readonly timeZone: string | null };

const teamColumns = (db: Db): Fragment => db`
  t.key, t.team_name as "teamName", t.team_description as "teamDescription", t.time_zone as "timeZone",
  t.escalate_seconds as "escalateSeconds",
  array(select p.user_id from team_people p where p.team_id = t.key order by p.user_id) as "userIDs",
  coalesce((
    select jsonb_agg(jsonb_build_object('userID', y.user_id) || y.duty_time order by y.key) from team_duties y
    where y.team_id = t.key), '[]') as rota,
  t.creation_date as "creationDate", t.created_by as "createdBy", t.last_modified_date as "lastModifiedDate",
  t.last_modified_by as "lastModifiedBy"`;

export async function findTeam(db: Db, caller: Caller, teamID: number): Promise<StoredTeam | undefined> {
  const [row] = await db<StoredTeam[]>`
    select ${teamColumns(db)} from teams t where t.key = ${teamID} and ${teamRight(db, caller)}`;
  return row;
}

export async function findTeams(db: Db, caller: Caller): Promise<Team[]> {
  return db<Team[]>`
    select ${teamColumns(db)} from teams t where ${teamRight(db, caller)} order by lower(t.team_name), t.key`;
}

export async function selectTeamNames(db: Db): Promise<TeamName[]> {
  return db<TeamName[]>`select key, team_name as "teamName" from teams order by lower(team_name), key`;
}

/** Everybody who may read the collection sees its teams. */
export async function findTeamsOfCollection(db: Db, collectionID: number): Promise<Team[]> {
  return db<Team[]>`
    select ${teamColumns(db)} from teams t join collection_teams g on g.team_id = t.key
    where g.collection_id = ${collectionID} order by lower(t.team_name), t.key`;
}

/** For those who tell teams, with the rights of nobody. */
export async function findRotas(
  tx: Db,
  teamIDs: readonly number[],
): Promise<readonly Pick<StoredTeam, 'key' | 'timeZone' | 'userIDs' | 'rota'>[]> {
  return tx<StoredTeam[]>`
    select ${teamColumns(tx)} from teams t where t.key = any(${teamIDs as number[]}::bigint[]) order by t.key`;
}

export interface TeamContent {
  readonly teamName: string;
  readonly teamDescription: string | null;
  readonly timeZone: string | null;
  readonly escalateSeconds: number | null;
}

/** Undefined if there are so many teams already. Two concurrent requests may exceed the limit by one. */
export async function insertTeam(
  tx: Db,
  { userID }: Caller,
  { teamName, teamDescription, timeZone, escalateSeconds }: TeamContent,
  most: number,
): Promise<number | undefined> {
  const [row] = await tx<{ key: number }[]>`
    insert into teams (team_name, team_description, time_zone, escalate_seconds, created_by)
    select ${teamName}, ${teamDescription}, ${timeZone}, ${escalateSeconds}::integer, ${userID}
    where (select count(*) from teams) < ${most}
    returning key`;
  return row?.key;
}

/** Every change of a team locks it first. False: there is none. */
export async function lockTeam(tx: Db, teamID: number): Promise<boolean> {
  const rows = await tx`select 1 from teams where key = ${teamID} for no key update`;
  return rows.length === 1;
}

type TeamChange = { readonly [Field in keyof TeamContent]?: TeamContent[Field] | undefined };

export async function writeTeam(
  tx: Db,
  { userID }: Caller,
  teamID: number,
  { teamName, teamDescription, timeZone, escalateSeconds }: TeamChange,
): Promise<void> {
  await tx`
    update teams set last_modified_date = now(), last_modified_by = ${userID} ${changedColumns(tx, {
      team_name: teamName,
      team_description: teamDescription,
      time_zone: timeZone,
      escalate_seconds: escalateSeconds,
    })} where key = ${teamID}`;
}

/** Replaces the rota. */
export async function writeRota(tx: Db, teamID: number, rota: readonly TeamDuty[]): Promise<void> {
  await tx`delete from team_duties where team_id = ${teamID}`;
  const times = rota.map(({ userID: _userID, ...time }) => JSON.stringify(time));
  await tx`
    insert into team_duties (team_id, user_id, duty_time)
    select ${teamID}, n.user_id, n.duty_time::jsonb
    from unnest(${rota.map(({ userID }) => userID)}::bigint[], ${times}::text[]) with ordinality n (user_id, duty_time, position)
    order by n.position`;
}

/** The changes of the collections of the team `s.team_id` that its people, or some of them, no longer reach through it. */
const changedCollections = (db: Db, source: Fragment) =>
  ({
    kind: 'collection',
    change: 'changed',
    rows: db`(
      select distinct g.collection_id as key, null::bigint as device_id
      from ${source} s join collection_teams g on g.team_id = s.team_id)`,
  }) as const;

const leftCollections = (db: Db, source: Fragment) =>
  ({
    kind: 'collection',
    change: 'removed',
    rows: db`(
      select g.collection_id as key, null::bigint as device_id, array_agg(s.user_id) as people
      from ${source} s join collection_teams g on g.team_id = s.team_id group by g.collection_id)`,
    readers: db`r.people`,
  }) as const;

/** Returns the people who were not in the team; people who do not exist are left out. */
export async function insertPeople(tx: Db, teamID: number, people: readonly number[]): Promise<number[]> {
  const rows = await tx<{ userID: number }[]>`
    with added as (
      insert into team_people (team_id, user_id)
      select ${teamID}, u.key from users u where u.key = any(${people as number[]}::bigint[]) order by u.key
      on conflict do nothing returning team_id, user_id),
    logged as (${recordChanges(tx, changedCollections(tx, tx`added`))})
    select user_id as "userID" from added order by user_id`;
  return rows.map(({ userID }) => userID);
}

/** False: the person was not in the team. */
export async function removePerson(tx: Db, teamID: number, userID: number): Promise<boolean> {
  const rows = await tx`
    with gone as (
      delete from team_people where team_id = ${teamID} and user_id = ${userID} returning team_id, user_id),
    logged as (${recordChanges(tx, changedCollections(tx, tx`gone`), leftCollections(tx, tx`gone`))})
    select 1 from gone`;
  return rows.length === 1;
}

export async function countPeople(tx: Db, teamID: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count from team_people where team_id = ${teamID}`;
  return row?.count ?? 0;
}

export async function removeTeam(tx: Db, teamID: number): Promise<void> {
  // One row after the other in the order of keys, as when a person is removed (docs/decisions/0020).
  await tx`select 1 from teams where key = ${teamID} for update`;
  await tx`select 1 from team_people where team_id = ${teamID} order by team_id, user_id for update`;
  const people = tx`(select p.team_id, p.user_id from team_people p where p.team_id = ${teamID})`;
  const self = tx`(select ${teamID}::bigint as team_id)`;
  await tx`
    with logged as (${recordChanges(tx, changedCollections(tx, self), leftCollections(tx, people))})
    delete from teams where key = ${teamID}`;
}
