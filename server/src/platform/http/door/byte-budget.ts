import { Refusal } from '../../../errors.ts';

/** Limits the memory for signed bodies: access keys are not secret, and a signature is checked only after the body. */
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
      throw new Refusal('unavailable', 'Too many signed uploads are in progress; retry in a few seconds.', {
        headers: { 'retry-after': '1' },
      });
    },
    giveBack(bytes) {
      left += bytes;
    },
  };
}
