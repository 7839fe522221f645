import type { RuleAction, RuleActiveTime, RuleAtLeast, RuleWhere } from '@earshot/contract/rule-parts';
import type { RuleWhen } from '@earshot/contract/rule-when';

/** What a rule means, as it is stored: checked, with every list, without the fields that say nothing. */
export interface Definition {
  readonly where?: RuleWhere;
  readonly when: RuleWhen;
  readonly atLeast?: RuleAtLeast;
  readonly activeTimes: readonly RuleActiveTime[];
  readonly groupSeconds: number;
  readonly mostPerHour: number;
  readonly quietedBy: readonly number[];
  readonly actions: readonly RuleAction[];
}

/** The people whom the rule tells; its owner if an action names nobody. */
export const recipientsOf = ({ actions }: Definition, ownerID: number): readonly number[] => [
  ...new Set(
    actions
      .filter(({ action }) => action === 'notify')
      .flatMap(({ to }) => (to?.length ? to.flatMap(({ userID }) => userID ?? []) : [ownerID])),
  ),
];
