export { bellOutlet } from './outlet.ts';
export type { Outlet, Told } from './outlet.ts';
export { findRefusing } from './manners-queries.ts';
