import type { Rule, RuleSeverity } from '@earshot/contract/rule';
import { dayAndMinute } from '../../lib/ui/clock.ts';
import { Badge } from '../../lib/ui/elements.tsx';
import { isMuted } from './mute-menu.ts';
import { severityTexts, severityTones } from './severity.ts';

/** Whether a rule watches, and who is told. */
export function RuleState({ rule }: { readonly rule: Rule }) {
  if (rule.isEnabled === false) return <Badge tone="idle">Off</Badge>;
  if (isMuted(rule)) return <Badge tone="warn">Muted until {dayAndMinute(Date.parse(rule.mutedUntil ?? ''))}</Badge>;
  return <Badge tone="good">On</Badge>;
}

export const SeverityBadge = ({ severity = 'info' }: { readonly severity: RuleSeverity | undefined }) => (
  <Badge tone={severityTones[severity]}>{severityTexts[severity]}</Badge>
);
