export { findVocabulary } from './rules.ts';
export { listOtherForms } from './variants.ts';
