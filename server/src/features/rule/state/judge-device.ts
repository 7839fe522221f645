import type { Definition } from '../definition.ts';
import type { StateMatch } from './core/matches.ts';
import { findMatchSpans } from './core/matches.ts';
import type { StateSpan } from './core/spans.ts';
import type { MeasuredDevice, WatchedState } from './core/states.ts';
import { findStateSpans } from './core/states.ts';

/** All that decides about the matches of a device, beside the rule. */
export interface JudgedDevice {
  readonly measured: MeasuredDevice;
  readonly runs: readonly StateSpan[];
  readonly timeZone: string | undefined;
  readonly nowMs: number;
}

/** The matches of a rule on a device, with those that come if nothing else is measured. */
export const findStateMatches = (
  state: WatchedState,
  { activeTimes, forSeconds = 0, keepOpenSeconds = 0 }: Definition,
  { measured, runs, timeZone, nowMs }: JudgedDevice,
): readonly StateMatch[] =>
  findMatchSpans(
    findStateSpans(state, measured, runs),
    { activeTimes, forSeconds, keepOpenSeconds },
    { runs, timeZone, nowMs },
  );
