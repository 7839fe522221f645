import type { RuleTrial, RuleTrialResults, TrialMatch } from '@earshot/contract/rule-trial';
import { mostTrialMatches, usualTrialDays, usualTrialLimit } from '@earshot/contract/rule-trial';
import { conflict } from '../../../errors.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { readRange } from '../../audio-clip/public.ts';
import { requireDefinition } from '../check/check-rule.ts';
import { requireReferences } from '../check/references.ts';
import type { Definition } from '../definition.ts';
import { countAlerts } from '../core/group.ts';
import { findKnownSince } from '../known-since-queries.ts';
import { tryState } from '../state/trial.ts';
import type { StartRange } from './candidate-queries.ts';
import { setTrialPlanner } from './candidate-queries.ts';
import type { Satisfying } from './collect.ts';
import { groupsOf } from './collect.ts';
import { countDays } from './days.ts';
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
  stateDays: number,
): Promise<RuleTrialResults> {
  const definition = requireDefinition(given.rule);
  const turn = new AbortController();
  running.get(caller.userID)?.abort(conflict('Another trial of yours has begun, which ended this one.'));
  running.set(caller.userID, turn);
  try {
    await requireReferences(db, caller, definition);
    const {
      toMs = Number.MAX_SAFE_INTEGER,
      fromMs = Math.max(0, Math.min(toMs, Date.now()) - usualTrialDays * dayMs),
    } = readRange(given);
    const trial = { definition, range: { fromMs, toMs }, given, signal: turn.signal };
    return await (definition.when.state ? tryState(db, caller, trial, stateDays) : tryOn(db, caller, trial));
  } finally {
    if (running.get(caller.userID) === turn) running.delete(caller.userID);
  }
}

/** What is tried, on which time. */
export interface AskedTrial {
  readonly definition: Definition;
  readonly range: StartRange;
  readonly given: Pick<RuleTrial, 'timeZone' | 'offset' | 'limit'>;
  readonly signal: AbortSignal;
}

async function tryOn(
  db: Pool,
  caller: Caller,
  { definition, range: { fromMs, toMs }, given, signal }: AskedTrial,
): Promise<RuleTrialResults> {
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
