import type { RuleExplanation } from '@earshot/contract/rule-trial';
import type { Truth } from '../core/when.ts';

export const outcomeOf = (truth: Truth): RuleExplanation['outcome'] => (truth === undefined ? 'unknown' : `${truth}`);
