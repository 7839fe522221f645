/** What other features may use of captions. */
export { findCaptionsByKey } from './queries.ts';
