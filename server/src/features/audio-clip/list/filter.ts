import { invalidField } from '../../../errors.ts';

export interface Range {
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
}

/** A range of epochs, half-open, in milliseconds. */
export function readRange({ startEpoch, endEpoch }: { startEpoch?: number; endEpoch?: number }): Range {
  if (startEpoch !== undefined && endEpoch !== undefined && endEpoch < startEpoch) {
    throw invalidField('endEpoch', 'must not be before startEpoch');
  }
  return {
    fromMs: startEpoch === undefined ? undefined : startEpoch * 1000,
    toMs: endEpoch === undefined ? undefined : endEpoch * 1000,
  };
}

/** An empty list is no condition. */
export const readList = (ids: readonly number[] | undefined) => (ids && ids.length > 0 ? [...new Set(ids)] : undefined);
