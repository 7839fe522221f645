import type { Db } from '../../../platform/database/connect.ts';
import { findQuietTimes, findRefusing } from '../../bell/public.ts';
import { isActiveAt } from '../../rule/public.ts';
import type { ChannelReach } from '../kinds/kind.ts';
import type { MessageRecipient } from './message.ts';
import { findPersonAt } from './person-queries.ts';
import type { TakenDelivery } from './take-queries.ts';

/** Whom the message is for, or why it is not sent to them. */
export async function findRecipient(
  db: Db,
  delivery: TakenDelivery,
  reach: ChannelReach,
): Promise<MessageRecipient | string> {
  const { ownerID, ownerRole, isConfirmed, kind } = delivery;
  const owner = { userID: ownerID, role: ownerRole, credential: 'channel' };
  if (reach === 'outside') return { caller: owner, isOutside: true };
  const person = reach === 'owner' ? owner : await findPersonAt(db, reach.email);
  if (!person)
    return isConfirmed ? { caller: owner, isOutside: true } : 'The address has not been confirmed by its owner.';
  const { userID } = person;
  if (userID !== ownerID && (await findRefusing(db, [userID])).has(userID))
    return 'The person is not told by rules of other people.';
  if (kind !== 'test' && (await isQuiet(db, delivery, userID))) return 'The person has quiet hours.';
  return { caller: { ...person, credential: 'channel' }, isOutside: false };
}

/** As for the bell: critical passes quiet hours in one's own rules and those of admins. */
async function isQuiet(db: Db, { severity, ownerID, ownerRole }: TakenDelivery, userID: number): Promise<boolean> {
  if (severity === 'critical' && (ownerID === userID || ownerRole === 'admin')) return false;
  const times = (await findQuietTimes(db, [userID])).get(userID) ?? [];
  return times.length > 0 && isActiveAt(times, Date.now(), undefined);
}
