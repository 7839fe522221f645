import type { RuleAction } from '@earshot/contract/rule-parts';
import { invalidField } from '../../../errors.ts';

/** A rule with another action would promise what this version does not do. */
const carriedOut: readonly RuleAction['action'][] = ['lock', 'tag'];

export function requireCarriedOut(actions: readonly RuleAction[]): void {
  for (const [at, { action }] of actions.entries()) {
    if (carriedOut.includes(action)) continue;
    throw invalidField(
      `actions[${at}].action`,
      `must be ${carriedOut.join(' or ')}: this version does not do ${action} yet`,
    );
  }
}
