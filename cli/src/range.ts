import type { Options } from './command.ts';
import { usageFailure } from './failure.ts';

export const rangeOptions = {
  since: { kind: 'time', value: 'TIME', help: 'from this time on: 2h (ago), yesterday, 2026-11-15T08:30' },
  until: { kind: 'time', value: 'TIME', help: 'before this time' },
} as const satisfies Options;

interface Range {
  readonly since: number | undefined;
  readonly until: number | undefined;
}

/** The range as the API takes it. */
export function rangeBody({ since, until }: Range): { startEpoch?: number; endEpoch?: number } {
  if (since !== undefined && until !== undefined && until < since) {
    throw usageFailure('--until is before --since. Swap them.');
  }
  return {
    ...(since === undefined ? {} : { startEpoch: Math.max(0, Math.floor(since / 1_000)) }),
    ...(until === undefined ? {} : { endEpoch: Math.max(0, Math.ceil(until / 1_000)) }),
  };
}
