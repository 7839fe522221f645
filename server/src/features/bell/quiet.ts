import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import type { RuleSeverity } from '@earshot/contract/rule';
import { isActiveAt } from '../rule/public.ts';

/** By which rule a person is told. */
export interface TellingRule {
  readonly ownerID: number;
  readonly isOfAdmin: boolean;
  readonly severity: RuleSeverity;
}

/** Whether a person has quiet times now: `critical` passes them in one's own rules and those of admins. */
export function isQuietFor(
  userID: number,
  quietTimes: readonly RuleActiveTime[],
  rule: TellingRule | undefined,
): boolean {
  if (rule?.severity === 'critical' && (rule.isOfAdmin || rule.ownerID === userID)) return false;
  return quietTimes.length > 0 && isActiveAt(quietTimes, Date.now(), undefined);
}
