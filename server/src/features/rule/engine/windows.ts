import type { Db } from '../../../platform/database/connect.ts';
import { withinMs } from '../trial/collect.ts';
import type { StartRange } from '../trial/candidate-queries.ts';
import { findMatches } from '../trial/find-matches.ts';
import { namedDevices } from '../trial/named-devices.ts';
import type { Watched } from '../trial/scope-queries.ts';
import { findMerged, findWatched } from '../trial/scope-queries.ts';
import { findRuleOwner } from '../queries.ts';
import type { ChangedPlace } from './engine-queries.ts';
import type { SatisfiedRule } from './judge-batch.ts';
import type { FoundMatch } from './match-queries.ts';
import { findMatchesBetween, findRulesBehind } from './match-queries.ts';
import type { CachedRules } from './rule-cache.ts';
import type { EngineRule } from './rule-index.ts';

/*
 * A clip at t is in the windows of the clips that begin in [t, t + within). These are judged again, from the clips that are
 * there now, when the clip satisfies the rule, or when matches of the rule begin there, which it may have supported before it
 * changed.
 */

interface Spans {
  readonly rule: EngineRule;
  /** Undefined: of all devices. */
  readonly deviceID: number | undefined;
  readonly startsMs: number[];
}

export interface JudgedWindows {
  readonly found: readonly FoundMatch[];
  readonly gone: readonly { readonly ruleID: number; readonly audioClipID: number }[];
}

export async function judgeWindows(
  tx: Db,
  { rules, counting }: CachedRules,
  satisfied: readonly SatisfiedRule[],
  places: readonly ChangedPlace[],
): Promise<JudgedWindows> {
  if (counting.length === 0) return { found: [], gone: [] };
  const spans = new Map<string, Spans>();
  const add = (rule: EngineRule | undefined, deviceID: number, startMs: number): void => {
    if (!rule?.definition.atLeast) return;
    const isAcross = rule.definition.atLeast.acrossDevices ?? false;
    const name = `${rule.key} ${isAcross ? '' : deviceID}`;
    const known = spans.get(name);
    if (known) known.startsMs.push(startMs);
    else spans.set(name, { rule, deviceID: isAcross ? undefined : deviceID, startsMs: [startMs] });
  };
  for (const { rule, facts } of satisfied) add(rule, facts.deviceID, facts.startMs);
  const behind = await findRulesBehind(
    tx,
    counting.map(({ key, definition }) => ({
      key,
      withinMs: withinMs(definition),
      isAcross: definition.atLeast?.acrossDevices ?? false,
    })),
    places,
  );
  for (const { ruleID, deviceID, startMs } of behind) add(rules.get(ruleID), deviceID, startMs);
  const judged: JudgedWindows[] = [];
  for (const each of spans.values()) judged.push(await judgeSpans(tx, each));
  return { found: judged.flatMap(({ found }) => found), gone: judged.flatMap(({ gone }) => gone) };
}

async function judgeSpans(tx: Db, { rule, deviceID, startsMs }: Spans): Promise<JudgedWindows> {
  const scope = await scopeOfRule(tx, rule, deviceID);
  if (!scope) return { found: [], gone: [] };
  const judged: JudgedWindows[] = [];
  for (const starts of joinSpans(startsMs, withinMs(rule.definition))) judged.push(await judgeRange(tx, scope, starts));
  return { found: judged.flatMap(({ found }) => found), gone: judged.flatMap(({ gone }) => gone) };
}

/** A rule with the devices that it looks at now. */
interface RuleScope {
  readonly rule: EngineRule;
  readonly watched: Watched;
  readonly into: ReadonlyMap<number, number>;
  /** It is asked about one device, at which it does not look now: what it found there before may be withdrawn. */
  readonly isHidden: boolean;
}

/** Of one device, if it is given. Undefined if the owner is gone. */
export async function scopeOfRule(
  tx: Db,
  rule: EngineRule,
  deviceID: number | undefined,
): Promise<RuleScope | undefined> {
  const owner = await findRuleOwner(tx, rule);
  if (!owner) return undefined;
  const all = await findWatched(tx, owner, rule.definition.where);
  return {
    rule,
    watched: deviceID === undefined ? all : { ...all, deviceIDs: [deviceID] },
    into: await findMerged(tx, namedDevices(rule.definition)),
    isHidden: deviceID !== undefined && all.deviceIDs !== undefined && !all.deviceIDs.includes(deviceID),
  };
}

/** What a rule finds among the clips that begin in the range, and what it found before and does not find now. */
export async function judgeRange(
  tx: Db,
  { rule: { key: ruleID, version, definition }, watched, into, isHidden }: RuleScope,
  starts: StartRange,
): Promise<JudgedWindows> {
  const sought = { definition, watched, into, starts };
  const { matches } = await findMatches(tx, sought, Number.MAX_SAFE_INTEGER, new AbortController().signal);
  const keys = new Set(matches.map(({ key }) => key));
  const before = await findMatchesBetween(tx, ruleID, watched.deviceIDs, starts.fromMs, starts.toMs);
  return {
    found: isHidden ? [] : matches.map((match) => ({ ...match, ruleID, version })),
    gone: before.filter(({ audioClipID }) => !keys.has(audioClipID)),
  };
}

/** The ranges [start, start + within), joined where they meet. */
function joinSpans(startsMs: readonly number[], lengthMs: number): readonly StartRange[] {
  const joined: { fromMs: number; toMs: number }[] = [];
  for (const startMs of startsMs.toSorted((one, other) => one - other)) {
    const last = joined.at(-1);
    if (last && startMs <= last.toMs) last.toMs = startMs + lengthMs;
    else joined.push({ fromMs: startMs, toMs: startMs + lengthMs });
  }
  return joined;
}
