import type { RuleTrial, RuleTrialResults, TrialMatch } from '@earshot/contract/rule-trial';
import { mostTrialMatches, usualTrialDays, usualTrialLimit } from '@earshot/contract/rule-trial';
import { fromWall, offsetOf } from '@earshot/contract/time-zone';
import { conflict } from '../../../errors.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { readRange } from '../../audio-clip/public.ts';
import { requireDefinition } from '../check/check-rule.ts';
import { requireReferences } from '../check/references.ts';
import type { Definition } from '../definition.ts';
import { countAlerts } from '../core/group.ts';
import { byStart } from '../core/windows.ts';
import { findKnownSince } from '../known-since-queries.ts';
import { setTrialPlanner } from './candidate-queries.ts';
import type { Satisfying } from './collect.ts';
import { groupsOf } from './collect.ts';
import { findMatches } from './find-matches.ts';
import { namedDevices } from './named-devices.ts';
import { findMerged, findWatched } from './scope-queries.ts';
import { showTexts } from './show.ts';

const dayMs = 86_400_000;

/** The trials that run on this node, by their person: a new one ends the one before. */
export type RunningTrials = Map<number, AbortController>;

export async function runTrial(
  db: Pool,
  running: RunningTrials,
  caller: Caller,
  given: RuleTrial,
): Promise<RuleTrialResults> {
  const definition = requireDefinition(given.rule);
  const turn = new AbortController();
  running.get(caller.userID)?.abort(conflict('Another trial of yours has begun, which ended this one.'));
  running.set(caller.userID, turn);
  try {
    await requireReferences(db, caller, definition);
    return await tryOn(db, caller, definition, given, turn.signal);
  } finally {
    if (running.get(caller.userID) === turn) running.delete(caller.userID);
  }
}

async function tryOn(
  db: Pool,
  caller: Caller,
  definition: Definition,
  given: RuleTrial,
  signal: AbortSignal,
): Promise<RuleTrialResults> {
  const { toMs = Number.MAX_SAFE_INTEGER, fromMs = Math.max(0, Math.min(toMs, Date.now()) - usualTrialDays * dayMs) } =
    readRange(given);
  const [watched, into, knownSince] = await Promise.all([
    findWatched(db, caller, definition.where),
    findMerged(db, namedDevices(definition)),
    findKnownSince(db, definition.when),
  ]);
  // A clip that begins before the range may reach into it.
  const starts = { fromMs: Math.max(0, fromMs - watched.longestMs), toMs };
  const isInside = ({ startMs, endMs }: Satisfying): boolean => startMs >= fromMs || (endMs ?? startMs) > fromMs;
  const found = await inTransaction(db, async (tx) => {
    await setTrialPlanner(tx);
    return findMatches(tx, { definition, watched, into, starts, isInside }, mostTrialMatches + 1, signal);
  });
  const isExact = found.matches.length <= mostTrialMatches;
  const matches = found.matches.slice(0, mostTrialMatches);
  const offset = given.offset ?? 0;
  const page = matches.slice(offset, offset + (given.limit ?? usualTrialLimit));
  const oldest = matches.at(-1);
  return {
    total: matches.length,
    isExact,
    ...(knownSince === undefined ? {} : { knownSince }),
    ...(isExact || !oldest ? {} : { countedSince: new Date(oldest.startMs).toISOString() }),
    alertCount: alertsOf(definition, matches),
    days: countDays(matches, given.timeZone || 'UTC'),
    matches: await showPage(db, caller, definition, page),
  };
}

const alertsOf = (definition: Definition, matches: readonly Satisfying[]): number =>
  groupsOf(definition, matches)
    .map((group) => countAlerts(group, definition.groupSeconds))
    .reduce((sum, count) => sum + count, 0);

function countDays(matches: readonly Satisfying[], zone: string): RuleTrialResults['days'] {
  const counts = new Map<number, number>();
  for (const { startMs } of matches.toSorted(byStart)) {
    const day = Math.floor((startMs + offsetOf(zone, startMs)) / dayMs);
    counts.set(day, (counts.get(day) ?? 0) + 1);
  }
  return Array.from(counts, ([day, count]) => ({
    startDate: new Date(fromWall(day * dayMs, zone)).toISOString(),
    count,
  }));
}

async function showPage(
  db: Pool,
  caller: Caller,
  definition: Definition,
  page: readonly Satisfying[],
): Promise<TrialMatch[]> {
  const texts = await showTexts(
    db,
    caller,
    definition.when,
    page.map(({ key }) => key),
  );
  return page.map(({ key, deviceID, startMs }) => ({
    audioClipID: key,
    deviceID,
    startTime: Math.floor(startMs / 1_000),
    startTimeMs: startMs % 1_000,
    ...texts.get(key),
  }));
}
