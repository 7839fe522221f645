export type { Batch, VisibleChange } from './batch.ts';
export type { Live } from './live.ts';
export type { Position } from './position.ts';
export { isAfter } from './position.ts';
export { isKept } from './queries.ts';
