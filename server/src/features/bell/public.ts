export { bellOutlet } from './outlet.ts';
export type { Outlet, Told, ToldChannel } from './outlet.ts';
export type { TellingRule } from './quiet.ts';
export { isQuietFor } from './quiet.ts';
export { findManners, findQuietTimes, findRefusing } from './manners-queries.ts';
