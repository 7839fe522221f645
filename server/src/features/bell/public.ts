export { bellOutlet } from './outlet.ts';
export type { Outlet, Told, ToldChannel } from './outlet.ts';
export { findQuietTimes, findRefusing } from './manners-queries.ts';
