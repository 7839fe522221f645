export { loadHits } from './hit-queries.ts';
export { showMatches } from './show.ts';
