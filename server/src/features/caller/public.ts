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

export { keyPurpose, readKeySecret } from './key-secret.ts';

/** Runs a change that revokes or alters credentials of users. Resolves when every node knows of it. */
export function changeCredentials<Result>(
  parts: { readonly db: Pool; readonly cluster: Cluster },
  work: (tx: Db) => Promise<{ result: Result; subjects: readonly number[] }>,
): Promise<Result> {
  return parts.cluster.change(parts.db, credentialsTopic, work);
}

export function readBasic(encoded: string): { name: string; password: string } | undefined {
  const [name, password] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'), ':');
  return name !== undefined && password !== undefined ? { name, password } : undefined;
}

/** Collects which credentials were used and writes them in batches, so that a use needs no query of its own. */
export interface UseLog {
  note(caller: Caller): void;
  /** Writes the collected uses. Readers of `lastAccessDate` call it first. */
  flush(): Promise<void>;
}

export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

export interface UsedCredentials {
  readonly apiKeyIDs: readonly number[];
  readonly sessionIDs: readonly number[];
}

/** Writes when the credentials of one feature were used last. */
export type RecordUse = (db: Db, used: UsedCredentials) => Promise<void>;
