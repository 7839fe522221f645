export type { CorrectedTerm } from './proposal-queries.ts';
export { noteCorrectedTerms } from './proposal-queries.ts';
export { findVocabulary } from './rules.ts';
export { listOtherForms } from './variants.ts';
