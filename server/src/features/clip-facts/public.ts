export type { Facts } from './store-queries.ts';
export { noteClipsToMeasure, storeFacts } from './store-queries.ts';
