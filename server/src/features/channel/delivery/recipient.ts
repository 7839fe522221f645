import type { Db } from '../../../platform/database/connect.ts';
import { findQuietTimes, findRefusing, isQuietFor } from '../../bell/public.ts';
import type { ChannelReach } from '../kinds/kind.ts';
import { tellingRule } from './manners.ts';
import type { MessageRecipient } from './message.ts';
import { findPersonAt } from './person-queries.ts';
import type { TakenDelivery } from './take-queries.ts';

/** Whom the message is for, or why it is not sent to them. */
export async function findRecipient(
  db: Db,
  delivery: TakenDelivery,
  reach: ChannelReach,
): Promise<MessageRecipient | string> {
  const { ownerID, ownerRole, isConfirmed, isPersonal } = delivery;
  const owner = { userID: ownerID, role: ownerRole, credential: 'channel' };
  if (reach === 'outside') return { caller: owner, isOutside: true };
  const person = reach === 'owner' ? owner : await findPersonAt(db, reach.email);
  if (!person)
    return isConfirmed ? { caller: owner, isOutside: true } : 'The address has not been confirmed by its owner.';
  const { userID } = person;
  if (userID !== ownerID && (await findRefusing(db, [userID])).has(userID))
    return 'The person is not told by rules of other people.';
  // What a person is told by channels of their own choice was held before.
  if (!(isPersonal && userID === ownerID) && (await isQuiet(db, delivery, userID)))
    return 'The person has quiet hours.';
  return { caller: { ...person, credential: 'channel' }, isOutside: false };
}

async function isQuiet(db: Db, delivery: TakenDelivery, userID: number): Promise<boolean> {
  if (delivery.kind === 'test') return false;
  return isQuietFor(userID, (await findQuietTimes(db, [userID])).get(userID) ?? [], tellingRule(delivery));
}
