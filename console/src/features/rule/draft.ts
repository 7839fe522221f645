import type { CaptionSearch } from '@earshot/contract/caption-search';
import type { NewRule, Rule, RuleUpdate } from '@earshot/contract/rule';
import { usualGroupSeconds, usualMostPerHour } from '@earshot/contract/rule';
import { actionNames } from '@earshot/contract/rule-parts';
import type { DeviceState } from '@earshot/contract/rule-limits';
import { usualStateLimits, watchedStates } from '@earshot/contract/rule-limits';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { groupNames, groupOf, conditionKinds } from '@earshot/contract/rule-condition';

/** A rule while it is written. */
export type RuleDraft = NewRule;

export const emptyRule: RuleDraft = {
  ruleName: '',
  isEnabled: true,
  severity: 'info',
  when: { words: '' },
  groupSeconds: usualGroupSeconds,
  mostPerHour: usualMostPerHour,
  actions: [{ action: 'notify' }],
};

const parts = [
  'ruleName',
  'ruleDescription',
  'isEnabled',
  'severity',
  'where',
  'when',
  'atLeast',
  'activeTimes',
  'forSeconds',
  'keepOpenSeconds',
  'groupSeconds',
  'mostPerHour',
  'quietedBy',
  'actions',
] as const;

/** What a person may change of a stored rule. */
export const ruleDraftOf = (rule: Rule): RuleDraft =>
  Object.fromEntries(
    parts.filter((part) => rule[part] !== undefined).map((part) => [part, rule[part]]),
  ) as unknown as RuleDraft;

/** Whole, so that what was taken out of the draft is cleared. */
export const updateOf = (draft: RuleDraft, version: number): RuleUpdate => ({
  isEnabled: true,
  severity: 'info',
  ...draft,
  version,
  ruleDescription: draft.ruleDescription || null,
  where: draft.where ?? null,
  atLeast: draft.atLeast ?? null,
  activeTimes: draft.activeTimes ?? null,
  forSeconds: draft.forSeconds ?? null,
  keepOpenSeconds: draft.keepOpenSeconds ?? null,
  groupSeconds: draft.groupSeconds ?? null,
  mostPerHour: draft.mostPerHour ?? null,
  quietedBy: draft.quietedBy ?? null,
  actions: draft.actions ?? null,
});

/** "Watch this search": a rule finds whole words. The days of a search are no part of a rule. */
export function ruleOfSearch(search: CaptionSearch, tagNames: readonly string[]): RuleDraft {
  const { searchText, deviceIDList = [], talkgroup } = search;
  const tags = tagNames.map((tagName) => ({ tagName }));
  const tagged = tags.length > 1 ? [{ any: tags }] : tags;
  return {
    ...emptyRule,
    ruleName: searchText.slice(0, 200),
    ...(deviceIDList.length > 0 || talkgroup !== undefined
      ? { where: { deviceIDs: deviceIDList, ...(talkgroup === undefined ? {} : { talkgroups: [{ talkgroup }] }) } }
      : {}),
    when: tagged.length > 0 ? { all: [{ words: searchText }, ...tagged] } : { words: searchText },
  };
}

/** The draft with another condition, without the parts that belong to the other kind of rule. */
export function withWhen(draft: RuleDraft, when: RuleWhen): RuleDraft {
  if ((when.state === undefined) === (draft.when.state === undefined)) return { ...draft, when };
  const { atLeast: _counted, forSeconds: _for, keepOpenSeconds: _open, ...others } = draft;
  return { ...others, when };
}

const ofStates: ReadonlySet<string> = new Set(['forSeconds', 'keepOpenSeconds']);
const draftParts: ReadonlySet<string> = new Set(parts.filter((part) => !ofStates.has(part)));
const stateDraftParts: ReadonlySet<string> = new Set(parts.filter((part) => part !== 'atLeast'));
const whereParts: ReadonlySet<string> = new Set(['deviceIDs', 'collectionIDs', 'talkgroups', 'units', 'isEmergency']);
const whenParts: ReadonlySet<string> = new Set([...conditionKinds, ...groupNames]);
const knownActions: ReadonlySet<string> = new Set(actionNames);

const isKnown = (record: object | undefined, names: ReadonlySet<string>): boolean =>
  Object.keys(record ?? {}).every((name) => names.has(name));

/** Whether the sentence has a control for each part: a rule of another program may have more. */
export const canShow = (draft: RuleDraft): boolean =>
  typeof draft.when === 'object' &&
  draft.when !== null &&
  isKnown(draft.where, whereParts) &&
  (draft.when.state
    ? isKnown(draft, stateDraftParts) && canShowState(draft.when, draft.when.state)
    : isKnown(draft, draftParts) && canShowWhen(draft.when)) &&
  (draft.actions ?? []).every(({ action }) => knownActions.has(action));

const canShowState = (when: RuleWhen, state: DeviceState): boolean =>
  watchedStates.includes(state) && isKnown(when, new Set(['state', ...Object.keys(usualStateLimits[state])]));

function canShowWhen(when: RuleWhen): boolean {
  const named = Object.keys(when).filter((name) => name !== 'minConfidence');
  const [name = ''] = named;
  if (named.length !== 1 || !whenParts.has(name)) return false;
  if ('minConfidence' in when && name !== 'tagName') return false;
  return (groupOf(when)?.entries ?? []).every(canShowWhen);
}
