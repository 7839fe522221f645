/** The functions of captions that other features may use. */
export { findCaptionsByKey } from './queries.ts';
