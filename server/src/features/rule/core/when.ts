import type { RuleWhen } from '@earshot/contract/rule-when';
import type { SearchTerm } from '@earshot/contract/words/public';
import { comparedContains, readTerms } from '@earshot/contract/words/public';
import type { KnownFacts } from './facts.ts';
import { lowerName } from './tag-name.ts';

/*
 * The condition of a rule over the facts of one clip, in the three-valued logic of Kleene. No database: the trial, the
 * engine and the explanation judge with these functions.
 *
 *   all    false if an entry is false, else unknown if one is unknown, else true
 *   any    true if an entry is true, else unknown if one is unknown, else false
 *   none   the opposite of any
 */

/** Undefined: unknown. */
export type Truth = boolean | undefined;

const measured = ['speechSeconds', 'lengthSeconds', 'levelDb', 'clippedPercent'] as const;
export type Measured = (typeof measured)[number];

export interface ValueRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** A condition or a group, as it is judged. `given` is what the person wrote. */
export type Condition =
  | { readonly kind: 'words'; readonly terms: readonly SearchTerm[]; readonly given: RuleWhen }
  | { readonly kind: 'tag'; readonly name: string; readonly minConfidence: number; readonly given: RuleWhen }
  | { readonly kind: 'anySound'; readonly given: RuleWhen }
  | { readonly kind: Measured; readonly range: ValueRange; readonly given: RuleWhen }
  /** Of a device: of clips it is unknown. */
  | { readonly kind: 'state'; readonly given: RuleWhen };

export interface Group {
  readonly kind: 'all' | 'any' | 'none';
  readonly entries: readonly When[];
}

export type When = Condition | Group;

export const isGroup = (when: When): when is Group => 'entries' in when;

/** Reads a condition that was checked when it was stored. */
export function readWhen(given: RuleWhen): When {
  for (const kind of ['all', 'any', 'none'] as const) {
    const entries = given[kind];
    if (entries) return { kind, entries: entries.map((entry) => readWhen(entry)) };
  }
  if (given.words !== undefined) return { kind: 'words', terms: readTerms(given.words, 'words'), given };
  if (given.tagName !== undefined)
    return { kind: 'tag', name: lowerName(given.tagName), minConfidence: given.minConfidence ?? 0, given };
  for (const kind of measured) {
    const range = given[kind];
    if (range) return { kind, range, given };
  }
  return { kind: given.state === undefined ? 'anySound' : 'state', given };
}

/** A condition that can make the whole true, and those that cannot are left out: what is inside of a `none`. */
export const positiveConditions = (when: When): readonly Condition[] =>
  isGroup(when) ? (when.kind === 'none' ? [] : when.entries.flatMap(positiveConditions)) : [when];

const conditionsOf = (when: When): readonly Condition[] =>
  isGroup(when) ? when.entries.flatMap(conditionsOf) : [when];

/** What must be known of a clip to judge it. */
export type FactKind = 'text' | 'tags' | 'sound' | 'call' | 'timeZone';
export const allFacts: ReadonlySet<FactKind> = new Set(['text', 'tags', 'sound', 'call', 'timeZone']);

export const factKindsOf = (when: When): readonly FactKind[] =>
  conditionsOf(when).flatMap(({ kind }): readonly FactKind[] => {
    if (kind === 'words') return ['text'];
    if (kind === 'tag') return ['tags'];
    return kind === 'lengthSeconds' || kind === 'state' ? [] : ['sound'];
  });

export const everyTruth = (truths: readonly Truth[]): Truth => {
  if (truths.includes(false)) return false;
  return truths.includes(undefined) ? undefined : true;
};

export const someTruth = (truths: readonly Truth[]): Truth => {
  if (truths.includes(true)) return true;
  return truths.includes(undefined) ? undefined : false;
};

export const opposite = (truth: Truth): Truth => (truth === undefined ? undefined : !truth);

export function judgeWhen(when: When, facts: KnownFacts): Truth {
  if (!isGroup(when)) return judgeCondition(when, facts);
  const truths = when.entries.map((entry) => judgeWhen(entry, facts));
  if (when.kind === 'all') return everyTruth(truths);
  return when.kind === 'any' ? someTruth(truths) : opposite(someTruth(truths));
}

export function judgeCondition(condition: Condition, facts: KnownFacts): Truth {
  switch (condition.kind) {
    case 'words':
      return facts.text === undefined ? undefined : comparedContains(facts.text, condition.terms);
    case 'tag':
      return judgeTag(facts, condition.name, condition.minConfidence);
    case 'state':
      return undefined;
    case 'anySound':
      return facts.hadSound ? opposite(facts.isSilent) : false;
    case 'speechSeconds':
    case 'lengthSeconds':
    case 'levelDb':
    case 'clippedPercent':
      return judgeRange(valueOf(facts, condition.kind), condition.range);
  }
}

/** A tag that is there is known; that it is missing, only after the sound was labelled. */
function judgeTag({ tags, isLabelled }: KnownFacts, name: string, minConfidence: number): Truth {
  const confidence = tags.get(name);
  if (confidence !== undefined && confidence >= minConfidence) return true;
  return isLabelled ? false : undefined;
}

export function valueOf(facts: KnownFacts, kind: Measured): number | undefined {
  if (kind !== 'lengthSeconds') return facts[kind];
  return facts.endMs === undefined ? undefined : (facts.endMs - facts.startMs) / 1_000;
}

const judgeRange = (value: number | undefined, { min, max }: ValueRange): Truth =>
  value === undefined ? undefined : (min === undefined || value >= min) && (max === undefined || value <= max);
