import { parseDateTime } from '@earshot/contract/date-time';
import type { NewTeam, Team, TeamDuty, TeamDutyAt, TeamUpdate } from '@earshot/contract/team';
import { mostTeams } from '@earshot/contract/team';
import { longestIdList } from '@earshot/contract/values';
import { conflict, invalid, notFound } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { recordAct } from '../audit/public.ts';
import { settleActiveTime } from '../rule/public.ts';
import { requireUser } from '../user/public.ts';
import { findNextDuty, findOnDuty } from './duty.ts';
import type { StoredTeam } from './queries.ts';
import {
  countPeople,
  findTeam,
  insertPeople,
  insertTeam,
  lockTeam,
  removePerson,
  removeTeam,
  writeRota,
  writeTeam,
} from './queries.ts';

async function requireTeam(db: Db, caller: Caller, teamID: number): Promise<StoredTeam> {
  const team = await findTeam(db, caller, teamID);
  if (!team) throw notFound('team', teamID);
  return team;
}

export const readTeam = async (db: Db, caller: Caller, teamID: number): Promise<Team> =>
  asTeam(await requireTeam(db, caller, teamID));

const asTeam = (team: StoredTeam): Team => team as Team;

/** Throws 400 unless the rota names people of the team. */
function requireRota(rota: readonly TeamDuty[], people: readonly number[]): readonly TeamDuty[] {
  const errors = rota.flatMap(({ userID, timeZone }, at) => [
    ...(people.includes(userID)
      ? []
      : [
          {
            path: `rota[${at}].userID`,
            message: `names person ${userID}, who is not in the team: add the person first`,
          },
        ]),
    ...(timeZone === '' ? [{ path: `rota[${at}].timeZone`, message: 'must be a time zone, or be left out' }] : []),
  ]);
  if (errors.length > 0) throw invalid(errors);
  return rota.map((duty) => ({ userID: duty.userID, ...settleActiveTime(duty) }));
}

export async function addTeam(db: Pool, caller: Caller, given: NewTeam): Promise<Team> {
  const { teamName, teamDescription = null, timeZone = null, escalateSeconds = null, userIDs = [], rota = [] } = given;
  return inTransaction(db, async (tx) => {
    const content = { teamName, teamDescription, timeZone: timeZone || null, escalateSeconds };
    const key = await insertTeam(tx, caller, content, mostTeams);
    if (key === undefined) throw conflict(`There are ${mostTeams} teams, the limit; delete one first.`);
    const people = await insertPeople(tx, key, userIDs);
    const unknown = userIDs.flatMap((userID, at) =>
      people.includes(userID)
        ? []
        : [{ path: `userIDs[${at}]`, message: `names person ${userID}, who does not exist` }],
    );
    if (unknown.length > 0) throw invalid(unknown);
    await writeRota(tx, key, requireRota(rota, people));
    await recordAct(tx, caller, 'team-created', { recordID: key });
    for (const personID of people) await recordAct(tx, caller, 'team-joined', { recordID: key, personID });
    return readTeam(tx, caller, key);
  });
}

/** Runs the change with the team locked. */
async function withTeam<Result>(
  db: Pool,
  caller: Caller,
  teamID: number,
  change: (tx: Db, team: StoredTeam) => Promise<Result>,
): Promise<Result> {
  return inTransaction(db, async (tx) => {
    if (!(await lockTeam(tx, teamID))) throw notFound('team', teamID);
    return change(tx, await requireTeam(tx, caller, teamID));
  });
}

export const changeTeam = (db: Pool, caller: Caller, teamID: number, update: TeamUpdate): Promise<Team> =>
  withTeam(db, caller, teamID, async (tx, { userIDs }) => {
    const { rota, timeZone, ...content } = update;
    await writeTeam(tx, caller, teamID, { ...content, timeZone: timeZone === '' ? null : timeZone });
    if (rota !== undefined) await writeRota(tx, teamID, requireRota(rota ?? [], userIDs));
    await recordAct(tx, caller, 'team-changed', { recordID: teamID });
    return readTeam(tx, caller, teamID);
  });

export const eraseTeam = (db: Pool, caller: Caller, teamID: number): Promise<void> =>
  withTeam(db, caller, teamID, async (tx) => {
    await removeTeam(tx, teamID);
    await recordAct(tx, caller, 'team-removed', { recordID: teamID });
  });

export const addPersonTo = (db: Pool, caller: Caller, teamID: number, userID: number): Promise<void> =>
  withTeam(db, caller, teamID, async (tx) => {
    await requireUser(tx, userID);
    const [added] = await insertPeople(tx, teamID, [userID]);
    if (added === undefined) return;
    if ((await countPeople(tx, teamID)) > longestIdList)
      throw conflict(`The team has ${longestIdList} people, the limit; take one out first.`);
    await recordAct(tx, caller, 'team-joined', { recordID: teamID, personID: userID });
  });

export const takePersonOut = (db: Pool, caller: Caller, teamID: number, userID: number): Promise<void> =>
  withTeam(db, caller, teamID, async (tx) => {
    await requireUser(tx, userID);
    if (!(await removePerson(tx, teamID, userID))) return;
    await recordAct(tx, caller, 'team-left', { recordID: teamID, personID: userID });
  });

export async function readDuty(db: Db, caller: Caller, teamID: number, at: string | undefined): Promise<TeamDutyAt> {
  const team = await requireTeam(db, caller, teamID);
  const time = (at === undefined ? undefined : parseDateTime(at)) ?? new Date();
  const next = findNextDuty(team, time.getTime());
  return {
    dutyDate: time.toISOString(),
    userIDs: [...findOnDuty(team, time.getTime())],
    ...(next ? { nextDate: new Date(next.atMs).toISOString() } : {}),
    nextUserIDs: [...(next?.userIDs ?? [])],
  };
}
