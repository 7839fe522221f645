import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Db } from '../../../platform/database/connect.ts';
import { findRefusing } from '../../bell/public.ts';
import { findOnDuty, findRotas } from '../../team/public.ts';
import { findTold } from './note-queries.ts';

/** Whom an action tells at this moment. */
export interface Recipients {
  readonly told: readonly Recipient[];
  readonly others: readonly (Partial<Recipient> & { readonly refusal: string; readonly isLostRight?: boolean })[];
}

export interface Recipient {
  readonly userID: number;
  /** Unset: named as a person. */
  readonly teamID?: number | undefined;
}

interface Asked {
  readonly to: RuleAction['to'];
  readonly ownerID: number;
  readonly deviceID: number;
  readonly nowMs: number;
}

/**
 * The people who are named, and of each team those who are on duty; all of its people if nobody is on duty who may be told.
 * Each may read the device now and does not refuse to be told by rules of others. Nobody is named twice.
 */
export async function findRecipients(tx: Db, { to, ownerID, deviceID, nowMs }: Asked): Promise<Recipients> {
  const named = to?.length ? to.flatMap(({ userID }) => userID ?? []) : [ownerID];
  const teamIDs = [...new Set((to ?? []).flatMap(({ teamID }) => teamID ?? []))];
  const teams = teamIDs.length === 0 ? [] : await findRotas(tx, teamIDs);
  const people = [...new Set([...named, ...teams.flatMap(({ userIDs }) => userIDs)])];
  const refusalOf = await findRefusals(tx, ownerID, people, deviceID);
  const told: Recipient[] = [];
  const others: Recipients['others'][number][] = [];
  for (const userID of new Set(named)) {
    const refusal = refusalOf(userID);
    if (refusal === undefined) told.push({ userID });
    else others.push({ userID, refusal });
  }
  for (const teamID of teamIDs) {
    const team = teams.find(({ key }) => key === teamID);
    if (!team) {
      others.push({ refusal: 'A team that the rule names was deleted.', isLostRight: true });
      continue;
    }
    const isTold = (userID: number): boolean => refusalOf(userID) === undefined;
    const onDuty = findOnDuty(team, nowMs).filter(isTold);
    const ofTeam = onDuty.length > 0 ? onDuty : team.userIDs.filter(isTold);
    if (ofTeam.length === 0) others.push({ teamID, refusal: 'Nobody of the team may be told.' });
    for (const userID of ofTeam) if (!told.some((one) => one.userID === userID)) told.push({ userID, teamID });
  }
  return { told, others };
}

/** Why people are not told by rules of the owner about the device. */
export async function findRefusals(
  tx: Db,
  ownerID: number,
  people: readonly number[],
  deviceID: number,
): Promise<(userID: number) => string | undefined> {
  const readers = await findTold(tx, people, deviceID);
  const refusing = await findRefusing(tx, people);
  return (userID) => {
    if (!readers.has(userID)) return 'The person may not read the device.';
    if (userID !== ownerID && refusing.has(userID)) return 'The person is not told by rules of other people.';
    return undefined;
  };
}
