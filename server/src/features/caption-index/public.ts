export { indexCaption, moveIndexed } from './index-queries.ts';
export type { KnownTerms, SimilarTerms } from './known-terms.ts';
export { lookUpTerms } from './known-terms.ts';
export { edgeGrams } from './rules.ts';
export { resolveTerms, requireTerms } from './search-terms.ts';
export {
  contains,
  containsAllWords,
  containsVariant,
  containsWords,
  mayContain,
  transcriptContains,
} from './text-queries.ts';
