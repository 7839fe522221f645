export { findSpokenLanguages } from './rules.ts';
