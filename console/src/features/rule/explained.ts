import { durationText } from '@earshot/contract/duration-text';
import type { NewRule } from '@earshot/contract/rule';
import type { RuleWhen } from '@earshot/contract/rule-when';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import { activeTimeText, atLeastText, conditionText, whereText } from '@earshot/contract/rule-sentence';

/** The part of a rule that a path of an explanation names, in words. */
export function partText(rule: Partial<NewRule>, path: string, names: RuleNames): string {
  const { where = {}, when, activeTimes = [], atLeast } = rule;
  if (path === 'where') return `Where: ${whereText({ ...pickPlaces(where) }, names)}`;
  if (path === 'where.talkgroups')
    return `Talkgroup: ${(where.talkgroups ?? []).map(({ talkgroup }) => names.talkgroup(talkgroup)).join(' or ')}`;
  if (path === 'where.units') return `Unit: ${(where.units ?? []).join(' or ')}`;
  if (path === 'where.isEmergency') return where.isEmergency ? 'An emergency call' : 'No emergency call';
  if (path === 'forSeconds') return `For at least ${durationText((rule.forSeconds ?? 0) * 1_000)}`;
  if (path === 'activeTimes') return `Time: ${activeTimes.map(activeTimeText).join(' or ')}`;
  if (path === 'atLeast' && atLeast) return `Satisfied ${atLeastText(atLeast)}`;
  const time = /^activeTimes\[(\d+)\]$/.exec(path);
  if (time) {
    const found = activeTimes[Number(time[1])];
    return found ? `Time: ${activeTimeText(found)}` : path;
  }
  const condition = when && path.startsWith('when') ? conditionAt(when, path) : undefined;
  if (!condition) return path;
  return `It ${conditionText(condition, isNegated(path))}`;
}

/** Whether the part must be false for the rule to match. */
export const isNegated = (path: string): boolean => path.split('.none[').length % 2 === 0;

const pickPlaces = ({ deviceIDs = [], collectionIDs = [] }: NonNullable<NewRule['where']>) => ({
  deviceIDs,
  collectionIDs,
});

function conditionAt(when: RuleWhen, path: string): RuleWhen | undefined {
  let found: RuleWhen | undefined = when;
  for (const [, name, at] of path.matchAll(/\.(all|any|none)\[(\d+)\]/g)) found = found?.[name as 'all']?.[Number(at)];
  return found;
}
