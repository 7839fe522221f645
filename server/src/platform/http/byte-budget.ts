import { Refusal } from '../../errors.ts';

/** Bounds what strangers can make a node hold in memory: an access key is no secret, and its proof comes last. */
export interface ByteBudget {
  take(bytes: number): void;
  giveBack(bytes: number): void;
}

export function createByteBudget(most: number): ByteBudget {
  let left = most;
  return {
    take(bytes) {
      left -= bytes;
      if (left >= 0) return;
      throw new Refusal('unavailable', 'Too many signed uploads come at once; try again shortly.', {
        headers: { 'retry-after': '1' },
      });
    },
    giveBack(bytes) {
      left += bytes;
    },
  };
}
