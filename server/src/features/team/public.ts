export { findNextDuty, findOnDuty } from './duty.ts';
export { findRotas } from './queries.ts';
