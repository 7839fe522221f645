import type { Feature } from '../feature.ts';

/*
 * Rows that are not saved. They belong to the running installation: who is signed in, one-time codes, which nodes run,
 * and the log of changes, whose positions are numbers of transactions of one database.
 */

const ofPlatform = ['nodes', 'changes', 'change_sweep', 'schema_migrations'];

export const listPassingTables = (features: readonly Feature[]): ReadonlySet<string> =>
  new Set([...ofPlatform, ...features.flatMap(({ passingTables = [] }) => passingTables)]);
