import type { TeamDuty } from '@earshot/contract/team';
import { fromWall, offsetOf } from '@earshot/contract/time-zone';
import { isActiveAt } from '../rule/public.ts';

/** Who of a team is on duty, from its rota. */

export interface Rota {
  readonly rota: readonly TeamDuty[];
  /** Of duties that have none; null: UTC. */
  readonly timeZone: string | null;
}

export interface NextDuty {
  readonly atMs: number;
  readonly userIDs: readonly number[];
}

const dayMs = 86_400_000;

const distinct = (duties: readonly TeamDuty[]): number[] => [...new Set(duties.map(({ userID }) => userID))];

export const findOnDuty = ({ rota, timeZone }: Rota, atMs: number): readonly number[] =>
  distinct(rota.filter((duty) => isActiveAt([duty], atMs, timeZone ?? undefined)));

/** The duties that begin next after this time, of people who are not left out. */
export function findNextDuty(
  { rota, timeZone }: Rota,
  afterMs: number,
  without: readonly number[] = [],
): NextDuty | undefined {
  const starts = rota
    .filter(({ userID }) => !without.includes(userID))
    .flatMap((duty) => ({ duty, atMs: nextStart(duty, duty.timeZone ?? timeZone ?? 'UTC', afterMs) }));
  const atMs = Math.min(...starts.flatMap((start) => start.atMs ?? []));
  if (atMs === Infinity) return undefined;
  return { atMs, userIDs: distinct(starts.filter((start) => start.atMs === atMs).map(({ duty }) => duty)) };
}

/** A week, and a day more, because a local time may be skipped once. */
const daysAhead = 8;

function nextStart(duty: TeamDuty, zone: string, afterMs: number): number | undefined {
  const [hours = 0, minutes = 0] = duty.from.split(':').map(Number);
  const today = Math.floor((afterMs + offsetOf(zone, afterMs)) / dayMs) * dayMs;
  for (let day = 0; day <= daysAhead; day++) {
    const atMs = fromWall(today + day * dayMs + (hours * 60 + minutes) * 60_000, zone);
    if (atMs > afterMs && isActiveAt([duty], atMs, zone) && begins(duty, today + day * dayMs)) return atMs;
  }
  return undefined;
}

/** 1 is Monday; the day of the epoch was a Thursday. */
const begins = ({ days }: TeamDuty, wallMs: number): boolean =>
  !days?.length || days.includes(((((wallMs / dayMs + 3) % 7) + 7) % 7) + 1);
