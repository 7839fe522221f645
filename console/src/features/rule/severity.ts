import type { RuleSeverity } from '@earshot/contract/rule';
import type { Tone } from '../../lib/ui/elements.tsx';

export const severityTexts: Readonly<Record<RuleSeverity, string>> = {
  info: 'Info',
  warning: 'Warning',
  critical: 'Critical',
};

export const severityTones: Readonly<Record<RuleSeverity, Tone>> = { info: 'idle', warning: 'warn', critical: 'bad' };
