export { findVocabulary } from './rules.ts';
export { findVariants } from './variants.ts';
