import type { ConditionGroup, ConditionKind, GroupName } from '@earshot/contract/rule-condition';
import { conditionKind, groupOf } from '@earshot/contract/rule-condition';
import type { RuleWhen } from '@earshot/contract/rule-when';

/* Changes to the condition of a rule, which is a tree: a group has entries, which are conditions or groups. */

export const groupFrom = ({ name, entries }: ConditionGroup): RuleWhen => ({ [name]: entries });

export function newCondition(kind: ConditionKind): RuleWhen {
  if (kind === 'words') return { words: '' };
  if (kind === 'tagName') return { tagName: '' };
  return kind === 'anySound' ? { anySound: true } : { [kind]: {} };
}

/** Joins an entry to a condition or group; `name` is what stands between them. */
export function joined(when: RuleWhen, name: GroupName, entry: RuleWhen): RuleWhen {
  const group = groupOf(when);
  const entries = group?.name === name ? group.entries : [when];
  return groupFrom({ name, entries: [...entries, entry] });
}

/** Adds what must not be true: to the `none` that is there, else to a new one. */
export function butNot(when: RuleWhen, entry: RuleWhen): RuleWhen {
  const group = groupOf(when);
  const at = group?.name === 'all' ? group.entries.findLastIndex(({ none }) => none !== undefined) : -1;
  const none = group?.entries[at];
  if (!group || !none) return joined(when, 'all', { none: [entry] });
  return groupFrom({ name: 'all', entries: group.entries.with(at, joined(none, 'none', entry)) });
}

/** The group with another entry; without it, if there is none. A group of one entry is the entry. */
export function withEntry(
  { name, entries }: ConditionGroup,
  at: number,
  entry: RuleWhen | undefined,
): RuleWhen | undefined {
  const rest = entry ? entries.with(at, entry) : entries.toSpliced(at, 1);
  if (rest.length === 0) return undefined;
  return rest.length === 1 && name !== 'none' && !entry ? rest[0] : groupFrom({ name, entries: rest });
}

/** How many groups are inside each other. */
export function depthOf(when: RuleWhen): number {
  const group = groupOf(when);
  return group ? 1 + Math.max(0, ...group.entries.map(depthOf)) : 0;
}

/** Whether every condition says something; until then there is nothing to try. */
export function isFilled(when: RuleWhen): boolean {
  const group = groupOf(when);
  if (group) return group.entries.length > 0 && group.entries.every(isFilled);
  if (when.state) return true;
  const kind = conditionKind(when);
  if (kind === 'words') return /[\p{L}\p{N}]/u.test(when.words ?? '');
  if (kind === 'tagName') return (when.tagName ?? '') !== '';
  return kind === 'anySound' || when[kind]?.min !== undefined || when[kind]?.max !== undefined;
}

/** The words of all conditions outside of `none`, as a search text whose words are marked. */
export function searchWordsOf(when: RuleWhen | undefined): string {
  if (!when) return '';
  const group = groupOf(when);
  if (group?.name === 'none') return '';
  return group
    ? group.entries
        .map(searchWordsOf)
        .filter((text) => text !== '')
        .join(' ')
    : (when.words ?? '');
}
