import type { RuleTrialResults, TrialMatch } from '@earshot/contract/rule-trial';
import { mostTrialMatches, usualTrialLimit } from '@earshot/contract/rule-trial';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { countAlerts } from '../core/group.ts';
import type { Definition } from '../definition.ts';
import { countDays } from '../trial/days.ts';
import { findWatched } from '../trial/scope-queries.ts';
import type { AskedTrial } from '../trial/trial.ts';
import { msPerHour } from './core/durations.ts';
import { runsUntilNow } from './core/platform-runs.ts';
import type { StateSpan } from './core/spans.ts';
import type { WatchedState } from './core/states.ts';
import { isSilence, readWatchedState, sourceOf } from './core/states.ts';
import { findStateMatches } from './judge-device.ts';
import { loadMeasured } from './measure.ts';
import { findAllDevices, loadRuns } from './measured-queries.ts';
import { findTimeZones } from './sweep/span-queries.ts';

const devicesAtOnce = 500;
const dayMs = 24 * msPerHour;

interface MatchOfDevice extends StateSpan {
  readonly deviceID: number;
}

/** The matches of a rule about a state in the range, by all measurements that are kept. */
export async function tryState(
  db: Pool,
  caller: Caller,
  { definition, range: { fromMs, toMs }, given, signal }: AskedTrial,
  stateDays: number,
): Promise<RuleTrialResults> {
  const state = readWatchedState(definition.when)!;
  const nowMs = Date.now();
  const oldestMs = nowMs - stateDays * dayMs;
  const { deviceIDs } = await findWatched(db, caller, definition.where);
  const devices = deviceIDs ?? (await findAllDevices(db));
  const stored = await loadRuns(db, oldestMs);
  const around = { runs: runsUntilNow(stored, nowMs), oldestMs, nowMs };
  const all: MatchOfDevice[] = [];
  for (let at = 0; at < devices.length; at += devicesAtOnce) {
    signal.throwIfAborted();
    const found = await findMatchesOf(db, state, definition, devices.slice(at, at + devicesAtOnce), around);
    all.push(...found.filter(({ startMs, endMs }) => startMs <= nowMs && startMs < toMs && endMs > fromMs));
  }
  all.sort((one, other) => other.startMs - one.startMs || other.deviceID - one.deviceID);
  const matches = all.slice(0, mostTrialMatches);
  const offset = given.offset ?? 0;
  const isExact = all.length <= mostTrialMatches;
  return {
    total: matches.length,
    isExact,
    knownSince: new Date(Math.max(oldestMs, stored[0]?.startMs ?? nowMs)).toISOString(),
    ...(isExact ? {} : { countedSince: new Date(matches.at(-1)!.startMs).toISOString() }),
    alertCount: alertsOf(definition, matches),
    days: countDays(matches, given.timeZone || 'UTC'),
    matches: matches.slice(offset, offset + (given.limit ?? usualTrialLimit)).map((match) => shown(match, nowMs)),
  };
}

async function findMatchesOf(
  db: Pool,
  state: WatchedState,
  definition: Definition,
  devices: readonly number[],
  { runs, oldestMs, nowMs }: { readonly runs: readonly StateSpan[]; readonly oldestMs: number; readonly nowMs: number },
): Promise<MatchOfDevice[]> {
  const measured = await loadMeasured(db, sourceOf[state.state], [state], devices, oldestMs);
  const zones = await findTimeZones(db, devices);
  return devices.flatMap((deviceID) =>
    findStateMatches(state, definition, {
      measured: measured.get(deviceID) ?? {},
      runs,
      timeZone: zones.get(deviceID) ?? undefined,
      nowMs,
    }).map(({ startMs, endMs }) => ({ deviceID, startMs, endMs })),
  );
}

/** By their times alone: devices that fall silent together are one alert, others have one each. */
function alertsOf(definition: Definition, matches: readonly MatchOfDevice[]): number {
  const groups = new Map<number, MatchOfDevice[]>();
  for (const match of matches.toReversed()) {
    const group = isSilence(definition.when) ? 0 : match.deviceID;
    groups.set(group, [...(groups.get(group) ?? []), match]);
  }
  return Array.from(groups.values(), (group) =>
    countAlerts(
      group.map(({ startMs }, key) => ({ key, startMs })),
      definition.groupSeconds,
    ),
  ).reduce((sum, count) => sum + count, 0);
}

const shown = ({ deviceID, startMs, endMs }: MatchOfDevice, nowMs: number): TrialMatch => ({
  deviceID,
  startTime: Math.floor(startMs / 1_000),
  startTimeMs: startMs % 1_000,
  ...(endMs <= nowMs ? { endTime: Math.floor(endMs / 1_000), endTimeMs: endMs % 1_000 } : {}),
});
