import type { RuleAction } from '@earshot/contract/rule-parts';
import type { Db } from '../../../platform/database/connect.ts';
import { findRefusing } from '../../bell/public.ts';
import { findUsableChannels } from '../../channel/public.ts';
import { tellPeople } from '../outlets.ts';
import type { DoneAct, DueAction } from './due-action.ts';
import { actOf } from './due-action.ts';
import { findTold } from './note-queries.ts';

/** Of these people, those who are told by rules of the owner about the device, and why the others are not. */
export async function findPeopleToTell(
  tx: Db,
  ownerID: number,
  people: readonly number[],
  deviceID: number,
): Promise<{ readonly told: readonly number[]; readonly others: ReadonlyMap<number, string> }> {
  const distinct = [...new Set(people)];
  const readers = await findTold(tx, distinct, deviceID);
  const refusing = await findRefusing(tx, distinct);
  const told: number[] = [];
  const others = new Map<number, string>();
  for (const userID of distinct) {
    if (!readers.has(userID)) others.set(userID, 'The person may not read the device.');
    else if (userID !== ownerID && refusing.has(userID))
      others.set(userID, 'The person is not told by rules of other people.');
    else told.push(userID);
  }
  return { told, others };
}

/** The channels that an action tells. */
export const channelsOf = ({ to }: RuleAction): readonly number[] => [
  ...new Set((to ?? []).flatMap(({ channelID }) => channelID ?? [])),
];

export async function notifyPeople(tx: Db, due: DueAction): Promise<readonly DoneAct[]> {
  const { alert, owner, action, cause } = due;
  const named = action.to?.length ? action.to.flatMap(({ userID }) => userID ?? []) : [owner.userID];
  const people = named.filter((userID) => !due.toldBefore.includes(userID));
  const { told, others } = await findPeopleToTell(tx, owner.userID, people, cause.deviceID);
  const wanted = channelsOf(action);
  const usable = await findUsableChannels(tx, owner.userID, wanted);
  const channels = wanted
    .filter((key) => usable.has(key))
    .map((channelID) => ({ channelID, includesWords: action.includesWords ?? false }));
  const gone = wanted.filter((key) => !usable.has(key));
  await tellPeople(tx, {
    kind: 'alert',
    people: told,
    rule: {
      ruleID: alert.ruleID,
      ownerID: owner.userID,
      isOfAdmin: owner.role === 'admin',
      severity: alert.severity,
    },
    alertID: alert.key,
    channels,
  });
  return [
    ...channels.map(({ channelID }) => ({ ...actOf(due), channelID })),
    ...gone.map((channelID) => ({ ...actOf(due), channelID, refusal: 'The channel is gone or switched off.' })),
    ...told.map((userID) => ({ ...actOf(due), userID })),
    ...Array.from(others, ([userID, refusal]) => ({ ...actOf(due), userID, refusal })),
  ];
}
