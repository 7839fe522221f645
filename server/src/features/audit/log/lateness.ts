import type { StateRow } from './state-queries.ts';

const sealWithinSeconds = 5 * 60;
const sendWithinSeconds = 15 * 60;

/** For how long entries wait to be sealed, and a head to be sent. */
export function waitsOf({ unsealedSince, unsentSince, now }: StateRow): {
  unsealedSeconds: number;
  unsentSeconds: number;
} {
  const age = (since: Date | null): number => (since ? Math.max(0, (now.getTime() - since.getTime()) / 1_000) : 0);
  return { unsealedSeconds: age(unsealedSince), unsentSeconds: age(unsentSince) };
}

export function isLate(state: StateRow, keepsHeadsElsewhere: boolean): boolean {
  const { unsealedSeconds, unsentSeconds } = waitsOf(state);
  return unsealedSeconds > sealWithinSeconds || (keepsHeadsElsewhere && unsentSeconds > sendWithinSeconds);
}
