export { findReleaseByHash } from './queries.ts';
export type { ShippedAgent } from './shipping.ts';
export { requireUpdate, updateText } from './software-update.ts';
