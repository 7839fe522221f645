import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { GoodCredential } from './queries.ts';
import { findGoodCredentials } from './queries.ts';

/** The topic of notifications with the keys of users whose credentials changed. */
export const credentialsTopic = 'credentials';

/** The callers whose credential is still valid and permits the same, for connections that outlast a request. */
export async function findValidCallers(db: Db, callers: readonly Caller[]): Promise<ReadonlySet<Caller>> {
  const apiKeys = new Set(callers.flatMap(({ apiKeyID }) => apiKeyID ?? []));
  const sessions = new Set(callers.flatMap(({ sessionID }) => sessionID ?? []));
  const good = await findGoodCredentials(db, [...apiKeys], [...sessions]);
  const now = new Map(good.map((found) => [found.credential, found]));
  return new Set(callers.filter((caller) => permitsSame(caller, now.get(caller.credential))));
}

const permitsSame = ({ role, isWriteOnly = false }: Caller, now: GoodCredential | undefined): boolean =>
  now?.role === role && now.isWriteOnly === isWriteOnly;

/** Runs a change that revokes or alters credentials of users. Resolves when every node knows of it. */
export function changeCredentials<Result>(
  parts: { readonly db: Pool; readonly cluster: Cluster },
  work: (tx: Db) => Promise<{ result: Result; subjects: readonly number[] }>,
): Promise<Result> {
  return parts.cluster.change(parts.db, credentialsTopic, work);
}
