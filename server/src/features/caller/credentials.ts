import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { findGoodCredentials } from './queries.ts';

/** The topic of notifications with the keys of users whose credentials changed. */
export const credentialsTopic = 'credentials';

/** The callers whose credential is still valid with the same role, for connections that outlast a request. */
export async function findValidCallers(db: Db, callers: readonly Caller[]): Promise<ReadonlySet<Caller>> {
  const apiKeys = new Set(callers.flatMap(({ apiKeyID }) => apiKeyID ?? []));
  const sessions = new Set(callers.flatMap(({ sessionID }) => sessionID ?? []));
  const good = await findGoodCredentials(db, [...apiKeys], [...sessions]);
  const roles = new Map(good.map(({ credential, role }) => [credential, role]));
  return new Set(callers.filter(({ credential, role }) => roles.get(credential) === role));
}

/** Runs a change that revokes or alters credentials of users. Resolves when every node knows of it. */
export function changeCredentials<Result>(
  parts: { readonly db: Pool; readonly cluster: Cluster },
  work: (tx: Db) => Promise<{ result: Result; subjects: readonly number[] }>,
): Promise<Result> {
  return parts.cluster.change(parts.db, credentialsTopic, work);
}
