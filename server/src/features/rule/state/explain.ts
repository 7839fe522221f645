import type { ExplainedPart, RuleExplanation } from '@earshot/contract/rule-trial';
import { offsetOf } from '@earshot/contract/time-zone';
import type { Pool } from '../../../platform/database/connect.ts';
import { isActiveAt } from '../core/active-times.ts';
import type { AskedRule } from '../explain/explain.ts';
import { outcomeOf } from '../explain/outcome.ts';
import { findWatched } from '../trial/scope-queries.ts';
import { msPerHour } from './core/durations.ts';
import { runsUntilNow } from './core/platform-runs.ts';
import type { StateSpan } from './core/spans.ts';
import { findStateSpans, readWatchedState, sourceOf } from './core/states.ts';
import { describeMeasured } from './describe.ts';
import { findStateMatches } from './judge-device.ts';
import { loadMeasured } from './measure.ts';
import { loadRuns } from './measured-queries.ts';
import { findTimeZones } from './sweep/span-queries.ts';

export interface AskedState {
  readonly deviceID: number;
  /** Undefined: now. */
  readonly atMs: number | undefined;
  readonly stateDays: number;
}

const dayMs = 24 * msPerHour;

/** Why a rule about a state has a match of the device at the time, or has none. */
export async function explainState(
  db: Pool,
  { definition, owner }: AskedRule,
  { deviceID, atMs, stateDays }: AskedState,
): Promise<RuleExplanation> {
  const nowMs = Date.now();
  const time = Math.min(atMs ?? nowMs, nowMs);
  const oldestMs = nowMs - stateDays * dayMs;
  const state = readWatchedState(definition.when)!;
  const { deviceIDs } = await findWatched(db, owner, definition.where);
  const isWatched = deviceIDs?.includes(deviceID) ?? true;
  const measured = (await loadMeasured(db, sourceOf[state.state], [state], [deviceID], oldestMs)).get(deviceID) ?? {};
  const timeZone = (await findTimeZones(db, [deviceID])).get(deviceID) ?? undefined;
  const runs = runsUntilNow(await loadRuns(db, oldestMs), nowMs);
  const held = findStateSpans(state, measured, runs).find((span) => isInside(span, time));
  const match = findStateMatches(state, definition, { measured, runs, timeZone, nowMs }).find((span) =>
    isInside(span, time),
  );
  const isActive = isActiveAt(definition.activeTimes, time, timeZone);
  const described = describeMeasured(state, measured, time);
  const truth = held ? true : described.isUnknown ? undefined : false;
  return {
    isMatch: isWatched && match !== undefined,
    outcome: outcomeOf(isWatched ? truth : false),
    parts: [
      {
        path: 'where',
        outcome: outcomeOf(isWatched),
        ...(isWatched ? {} : { reason: 'The rule does not look at this device, or its owner may not read it.' }),
      },
      { path: 'when.state', outcome: outcomeOf(truth), ...described.said, ...sinceOf(held) },
      ...(definition.activeTimes.length > 0
        ? [{ path: 'activeTimes', outcome: outcomeOf(isActive), value: localTime(time, timeZone) }]
        : []),
      ...explainLength(definition.forSeconds ?? 0, held, match, time),
    ],
  };
}

const isInside = ({ startMs, endMs }: StateSpan, ms: number): boolean => ms >= startMs && ms < endMs;

const sinceOf = (held: StateSpan | undefined): Pick<ExplainedPart, 'reason'> =>
  held ? { reason: `Since ${new Date(held.startMs).toISOString()}.` } : {};

const localTime = (ms: number, zone = 'UTC'): string =>
  `${new Date(ms + offsetOf(zone, ms)).toISOString().slice(0, 16).replace('T', ' ')} ${zone}`;

function explainLength(
  forSeconds: number,
  held: StateSpan | undefined,
  match: StateSpan | undefined,
  time: number,
): readonly ExplainedPart[] {
  if (forSeconds === 0 || !held) return [];
  const value = `${Math.floor((time - held.startMs) / 1_000)} s`;
  return [{ path: 'forSeconds', outcome: outcomeOf(match !== undefined), value }];
}
