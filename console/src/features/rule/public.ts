export { actText } from './act-text.ts';
export { wordsOf } from './condition.ts';
export { allRules } from './data.ts';
export { useRuleNames } from './names.ts';
export { watchAddress } from './watch-address.ts';
