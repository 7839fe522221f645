export { actText } from './act-text.ts';
export { searchWordsOf } from './condition.ts';
export { allRules } from './data.ts';
export { useRuleNames } from './names.ts';
export { severityTexts } from './severity.ts';
export { watchAddress } from './watch-address.ts';
