import type { RuleWhen } from './rule-when.ts';

/* The condition of a rule as a tree: a group has entries, which are conditions or groups. */

export const groupNames = ['all', 'any', 'none'] as const;
export type GroupName = (typeof groupNames)[number];

export const conditionRanges = ['speechSeconds', 'lengthSeconds', 'levelDb', 'clippedPercent'] as const;
export type ConditionRange = (typeof conditionRanges)[number];
export const conditionKinds = ['words', 'tagName', 'anySound', ...conditionRanges] as const;
export type ConditionKind = (typeof conditionKinds)[number];

export const isRange = (kind: ConditionKind): kind is ConditionRange => conditionRanges.some((range) => range === kind);

export interface ConditionGroup {
  readonly name: GroupName;
  readonly entries: readonly RuleWhen[];
}

/** Undefined if it is a condition. */
export function groupOf(when: RuleWhen): ConditionGroup | undefined {
  const name = groupNames.find((group) => when[group] !== undefined && when[group] !== null);
  return name && { name, entries: when[name] as readonly RuleWhen[] };
}

export const conditionKind = (when: RuleWhen): ConditionKind =>
  conditionKinds.find((kind) => when[kind] !== undefined && when[kind] !== null) ?? 'words';
