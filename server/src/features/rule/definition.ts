import type { RuleAction, RuleActiveTime, RuleAtLeast, RuleWhere } from '@earshot/contract/rule-parts';
import type { RuleWhen } from '@earshot/contract/rule-when';

/** What a rule means, as it is stored: checked, with every list, without the fields that say nothing. */
export interface Definition {
  readonly where?: RuleWhere;
  readonly when: RuleWhen;
  readonly atLeast?: RuleAtLeast;
  readonly activeTimes: readonly RuleActiveTime[];
  /** Of rules about states. */
  readonly forSeconds?: number;
  readonly keepOpenSeconds?: number;
  readonly groupSeconds: number;
  readonly mostPerHour: number;
  readonly quietedBy: readonly number[];
  readonly actions: readonly RuleAction[];
}

const toldBy = ({ actions }: Definition) =>
  actions.filter(({ action }) => action === 'notify').map(({ to = [] }) => to);

/** The people whom the rule names to be told; its owner if an action names nobody. */
export const peopleOf = (definition: Definition, ownerID: number): readonly number[] => [
  ...new Set(
    toldBy(definition).flatMap((to) => (to.length > 0 ? to.flatMap(({ userID }) => userID ?? []) : [ownerID])),
  ),
];

export const teamsOf = (definition: Definition): readonly number[] => [
  ...new Set(toldBy(definition).flatMap((to) => to.flatMap(({ teamID }) => teamID ?? []))),
];
