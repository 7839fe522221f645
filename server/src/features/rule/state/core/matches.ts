import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import { activeSpans } from './active-spans.ts';
import type { StateSpan } from './spans.ts';
import { isSpan, overlapOf } from './spans.ts';

/** When a state that holds is a match. */
export interface MatchTerms {
  readonly activeTimes: readonly RuleActiveTime[];
  readonly forSeconds: number;
  readonly keepOpenSeconds: number;
}

/** A match, with the begin of the state that it began with. */
export interface StateMatch extends StateSpan {
  readonly sinceMs: number;
}

export interface MatchSurroundings {
  readonly runs: readonly StateSpan[];
  readonly timeZone: string | undefined;
  readonly nowMs: number;
}

/**
 * The matches that spans of a state make, in order: one begins when the state has held for `forSeconds` inside the active times, within one run of
 * the platform, and ends `keepOpenSeconds` after the state ended. What begins before that end belongs to it. Matches of the future are those that
 * come if nothing else is measured.
 */
export function findMatchSpans(
  states: readonly StateSpan[],
  terms: MatchTerms,
  around: MatchSurroundings,
): readonly StateMatch[] {
  const keepMs = terms.keepOpenSeconds * 1_000;
  const matches: { sinceMs: number; startMs: number; endMs: number }[] = [];
  for (const state of states) {
    const open = matches.at(-1);
    if (open && state.startMs < open.endMs) open.endMs = state.endMs + keepMs;
    else {
      const startMs = beginOfMatch(state, terms, around);
      if (startMs !== undefined) matches.push({ sinceMs: state.startMs, startMs, endMs: state.endMs + keepMs });
    }
  }
  return matches;
}

function beginOfMatch(
  state: StateSpan,
  { activeTimes, forSeconds }: MatchTerms,
  { runs, timeZone, nowMs }: MatchSurroundings,
): number | undefined {
  const forMs = forSeconds * 1_000;
  for (const run of runs) {
    const held = overlapOf(state, run);
    if (!isSpan(held)) continue;
    for (const active of activeSpans(activeTimes, held, timeZone, nowMs))
      if (active.startMs + forMs < active.endMs) return active.startMs + forMs;
  }
  return undefined;
}
