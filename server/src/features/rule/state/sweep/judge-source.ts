import type { Db } from '../../../../platform/database/connect.ts';
import { loadWatchedDevices } from '../../engine/engine-queries.ts';
import type { StateRule } from '../../engine/rule-index.ts';
import { isWatching } from '../../engine/watching.ts';
import { msPerHour } from '../core/durations.ts';
import { runsUntilNow } from '../core/platform-runs.ts';
import type { SpanChange, StoredSpan } from '../core/reconcile.ts';
import { reconcile } from '../core/reconcile.ts';
import type { StateSpan } from '../core/spans.ts';
import type { MeasuredDevice, StateSource } from '../core/states.ts';
import { findStateMatches } from '../judge-device.ts';
import { loadMeasured } from '../measure.ts';
import { loadRuns } from '../measured-queries.ts';
import type { NextDue } from './due-queries.ts';
import type { NewSpan, StoredSpanOfDevice } from './span-queries.ts';
import { findChangeTimes, findStoredSpans, findTimeZones } from './span-queries.ts';

/** What is done with the matches of a batch. */
export interface FoundSpans {
  readonly added: NewSpan[];
  readonly changed: (StoredSpan & SpanChange)[];
  readonly ended: (StoredSpan & SpanChange)[];
  readonly withdrawn: number[];
  readonly next: NextDue[];
}

export interface SourceToJudge {
  readonly source: StateSource;
  readonly rules: readonly StateRule[];
  readonly devices: readonly number[];
  /** The first of the times at which it was due. */
  readonly sinceMs: number;
  readonly nowMs: number;
  readonly stateDays: number;
}

const dayMs = 24 * msPerHour;
/** Measurements that arrive late, such as reports that a device kept while it had no network. */
const lateMs = dayMs;

/** Judges all devices by what was measured lately; those whose states began before, by all that is kept. */
export async function judgeSource(tx: Db, given: SourceToJudge, found: FoundSpans): Promise<void> {
  const { rules, devices, sinceMs, nowMs, stateDays } = given;
  if (rules.length === 0) return;
  const oldestMs = nowMs - stateDays * dayMs;
  const lateAfterMs = Math.max(oldestMs, Math.min(sinceMs, nowMs) - lateMs - longestTermMs(rules));
  const runs = runsUntilNow(await loadRuns(tx, oldestMs), nowMs);
  const around = {
    ...given,
    runs,
    watched: await loadWatchedDevices(tx, devices),
    zones: await findTimeZones(tx, devices),
    changeTimes: await findChangeTimes(
      tx,
      rules.map(({ key }) => key),
    ),
  };
  const cut = await judgeSince(tx, around, devices, lateAfterMs, found);
  if (cut.length > 0) await judgeSince(tx, around, cut, oldestMs, found);
}

const longestTermMs = (rules: readonly StateRule[]): number =>
  Math.max(
    ...rules.map(({ definition: { forSeconds = 0, keepOpenSeconds = 0 } }) => (forSeconds + keepOpenSeconds) * 1_000),
  );

interface Around extends SourceToJudge {
  readonly runs: readonly StateSpan[];
  readonly watched: Awaited<ReturnType<typeof loadWatchedDevices>>;
  readonly zones: ReadonlyMap<number, string | null>;
  readonly changeTimes: ReadonlyMap<number, number>;
}

/** Returns the devices of which more must be read; nothing is found of these, unless this was all that is kept. */
async function judgeSince(
  tx: Db,
  around: Around,
  devices: readonly number[],
  fromMs: number,
  found: FoundSpans,
): Promise<readonly number[]> {
  const { source, rules, nowMs, stateDays } = around;
  const isAll = fromMs <= nowMs - stateDays * dayMs;
  const states = rules.map(({ state }) => state);
  const measured = await loadMeasured(tx, source, states, devices, fromMs);
  const stored = groupSpans(
    await findStoredSpans(
      tx,
      rules.map(({ key }) => key),
      devices,
      fromMs,
    ),
  );
  const cut: number[] = [];
  for (const deviceID of devices) {
    const device = around.watched.get(deviceID);
    if (!device) continue;
    const own: FoundSpans = { added: [], changed: [], ended: [], withdrawn: [], next: [] };
    const isCut = rules
      .filter((rule) => isWatching(rule, device))
      .map((rule) => {
        const of = stored.get(`${rule.key} ${deviceID}`) ?? [];
        return judgeRule(around, { rule, deviceID, fromMs, stored: of, measured: measured.get(deviceID) ?? {} }, own);
      })
      .includes(true);
    if (isCut && !isAll) cut.push(deviceID);
    else {
      for (const part of ['added', 'changed', 'ended', 'withdrawn'] as const)
        found[part].push(...(own[part] as never[]));
      const nextMs = Math.min(...own.next.map(({ atMs }) => atMs));
      if (nextMs !== Infinity) found.next.push({ deviceID, source, atMs: nextMs });
    }
  }
  return cut;
}

interface RuleOnDevice {
  readonly rule: StateRule;
  readonly deviceID: number;
  readonly fromMs: number;
  readonly stored: readonly StoredSpan[];
  readonly measured: MeasuredDevice;
}

/** Returns whether a state began before what was read. */
function judgeRule(
  { runs, zones, nowMs, source, changeTimes }: Around,
  { rule, deviceID, fromMs, stored, measured }: RuleOnDevice,
  found: FoundSpans,
): boolean {
  const timeZone = zones.get(deviceID) ?? undefined;
  const matches = findStateMatches(rule.state, rule.definition, { measured, runs, timeZone, nowMs });
  const changeMs = changeTimes.get(rule.key) ?? 0;
  // What is known of contact has its begin.
  const cutMs = source === 'contact' ? -Infinity : fromMs;
  const { added, moved, ended, withdrawn, isCut } = reconcile({
    found: matches,
    stored,
    nowMs,
    fromMs,
    cutMs,
    changeMs,
  });
  found.added.push(...added.map((each) => ({ ...each, ruleID: rule.key, version: rule.version, deviceID })));
  found.changed.push(...moved);
  found.ended.push(...ended);
  found.withdrawn.push(...withdrawn);
  const next = matches.flatMap(({ startMs, endMs }) => [startMs, endMs]).filter((ms) => ms > nowMs && ms < Infinity);
  if (next.length > 0) found.next.push({ deviceID, source, atMs: Math.min(...next) });
  return isCut;
}

function groupSpans(spans: readonly StoredSpanOfDevice[]): ReadonlyMap<string, readonly StoredSpan[]> {
  const grouped = new Map<string, StoredSpan[]>();
  for (const { ruleID, deviceID, ...span } of spans) {
    const name = `${ruleID} ${deviceID}`;
    const some = grouped.get(name);
    if (some) some.push(span);
    else grouped.set(name, [span]);
  }
  return grouped;
}
