export { findOnDuty } from './duty.ts';
export { findRotas } from './queries.ts';
