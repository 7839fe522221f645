import { fromWall, offsetOf } from '@earshot/contract/time-zone';
import { ruleSeverities } from '@earshot/contract/rule';
import type { Db } from '../../../platform/database/connect.ts';
import { findManners, isQuietFor } from '../../bell/public.ts';
import { setEnded } from './end-queries.ts';
import { holdBack } from './limit-queries.ts';
import type { TakenDelivery } from './take-queries.ts';

/**
 * Whether the person who chose the channel is not told now: in quiet times, and of what is below the severity that the
 * person chose. Then the message is in the person's digest; without a digest it is dropped.
 */
export async function holdByManners(db: Db, delivery: TakenDelivery): Promise<boolean> {
  const { key, channelID, ownerID, isPersonal, kind, severity } = delivery;
  if (!isPersonal || kind === 'digest') return false;
  const { quietTimes, digest } = await findManners(db, ownerID);
  const isBelow = digest?.below !== undefined && rankOf(severity) < rankOf(digest.below);
  if (!isQuietFor(ownerID, quietTimes, tellingRule(delivery)) && !(isBelow && kind !== 'resolved')) return false;
  // Of what ended nothing is left to be told.
  if (!digest || kind === 'resolved')
    await setEnded(db, key, { state: 'dropped', reason: 'The person has quiet hours.' });
  else
    await holdBack(db, key, channelID, {
      isPersonal,
      date: nextTimeAt(digest.at, digest.timeZone ?? 'UTC', Date.now()),
      reason: 'It is in the digest that the person chose.',
    });
  return true;
}

const rankOf = (severity: (typeof ruleSeverities)[number]): number => ruleSeverities.indexOf(severity);

/** The rule by which a message is sent, as quiet times ask for it. */
export const tellingRule = ({ severity, ruleOwnerID, ruleOwnerRole }: TakenDelivery) =>
  ruleOwnerID === null ? undefined : { severity, ownerID: ruleOwnerID, isOfAdmin: ruleOwnerRole === 'admin' };

const dayMs = 86_400_000;

/** When clocks of the zone next show this time of day. */
export function nextTimeAt(time: string, zone: string, afterMs: number): Date {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const today = Math.floor((afterMs + offsetOf(zone, afterMs)) / dayMs) * dayMs;
  const atMs = (day: number): number => fromWall(today + day * dayMs + (hours * 60 + minutes) * 60_000, zone);
  return new Date(atMs(0) > afterMs ? atMs(0) : atMs(1));
}
