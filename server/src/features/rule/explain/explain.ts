import type { ExplainedPart, ExplainRule, RuleExplanation } from '@earshot/contract/rule-trial';
import { requireDevice } from '../../../access.ts';
import { requireClip } from '../../audio-clip/public.ts';
import { invalidField, notFound } from '../../../errors.ts';
import type { Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDefinition } from '../check/check-rule.ts';
import type { KnownFacts } from '../core/facts.ts';
import { judgeClip, compileRule } from '../core/judge.ts';
import type { Truth } from '../core/when.ts';
import type { Definition } from '../definition.ts';
import { loadFacts } from '../facts-queries.ts';
import { findRuleOwner, findRule } from '../queries.ts';
import { setTrialPlanner } from '../trial/candidate-queries.ts';
import { withinMs } from '../trial/collect.ts';
import { findMatches } from '../trial/find-matches.ts';
import { namedDevices } from '../trial/named-devices.ts';
import type { Watched } from '../trial/scope-queries.ts';
import { findMerged, findWatched } from '../trial/scope-queries.ts';
import { explainState } from '../state/explain.ts';
import { outcomeOf } from './outcome.ts';
import { explainParts } from './parts.ts';

export interface AskedRule {
  readonly definition: Definition;
  /** With whose rights it is judged. */
  readonly owner: Caller;
}

async function requireAsked(db: Pool, caller: Caller, { ruleID, rule }: ExplainRule): Promise<AskedRule> {
  if (rule && ruleID) throw invalidField('ruleID', 'and rule must not both be given');
  if (rule) return { definition: requireDefinition(rule), owner: caller };
  if (!ruleID) throw invalidField('ruleID', 'or rule is required');
  const stored = await findRule(db, caller, ruleID);
  // A rule that is built in looks at every device, as an admin does.
  const owner = stored && (stored.userID === null ? caller : await findRuleOwner(db, stored));
  if (!stored || !owner) throw notFound('rule', ruleID);
  return { definition: stored.definition, owner };
}

export async function explainMatch(
  db: Pool,
  caller: Caller,
  given: ExplainRule,
  stateDays: number,
): Promise<RuleExplanation> {
  const { audioClipID = 0, deviceID = 0 } = given;
  if (audioClipID) await requireClip(db, caller, 'read', audioClipID);
  if (deviceID) await requireDevice(db, caller, 'read', deviceID);
  const asked = await requireAsked(db, caller, given);
  if (!asked.definition.when.state) {
    if (!audioClipID) throw invalidField('audioClipID', 'is required: the rule is about clips');
    return explainForClip(db, asked, audioClipID);
  }
  if (!deviceID) throw invalidField('deviceID', 'is required: the rule is about a state of devices');
  return explainState(db, asked, {
    deviceID,
    atMs: given.time === undefined ? undefined : given.time * 1_000,
    stateDays,
  });
}

async function explainForClip(
  db: Pool,
  { definition, owner }: AskedRule,
  audioClipID: number,
): Promise<RuleExplanation> {
  const [[facts], watched, into] = await Promise.all([
    loadFacts(db, [audioClipID]),
    findWatched(db, owner, definition.where),
    findMerged(db, namedDevices(definition)),
  ]);
  if (!facts) throw notFound('audio clip', audioClipID);
  const isWatched = watched.deviceIDs?.includes(facts.deviceID) ?? true;
  const truth: Truth = isWatched ? judgeClip(compileRule(definition), facts, into) : false;
  const inWindow = definition.atLeast && (await countWindow(db, definition, facts, watched, into));
  return {
    isMatch: truth === true && (inWindow === undefined || inWindow >= (definition.atLeast?.count ?? 0)),
    outcome: outcomeOf(truth),
    parts: [...explainParts(definition, facts, isWatched, into), ...explainWindow(definition, inWindow)],
  };
}

/** How many clips that satisfy the rule begin in the window that ends with this clip's start. */
async function countWindow(
  db: Pool,
  definition: Definition,
  { deviceID, startMs }: KnownFacts,
  watched: Watched,
  into: ReadonlyMap<number, number>,
): Promise<number> {
  const { atLeast, ...alone } = definition;
  const ofWindow = atLeast?.acrossDevices ? watched : { ...watched, deviceIDs: [deviceID] };
  const starts = { fromMs: startMs - withinMs(definition) + 1, toMs: startMs + 1 };
  const { matches } = await inTransaction(db, async (tx) => {
    await setTrialPlanner(tx);
    const sought = { definition: alone, watched: ofWindow, into, starts };
    return findMatches(tx, sought, atLeast?.count ?? 1, new AbortController().signal);
  });
  return matches.length;
}

function explainWindow({ atLeast }: Definition, found: number | undefined): ExplainedPart[] {
  if (!atLeast || found === undefined) return [];
  const isEnough = found >= atLeast.count;
  return [
    {
      path: 'atLeast',
      outcome: outcomeOf(isEnough),
      value: isEnough ? `${atLeast.count} or more clips` : `${found} of ${atLeast.count} clips`,
    },
  ];
}
