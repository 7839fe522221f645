import type { Caller } from '../../platform/http/caller.ts';
import type { Cluster } from '../../platform/cluster.ts';
import { credentialsTopic } from './credentials.ts';

/** More than the credentials of a large fleet; the oldest entries are removed first. */
const mostRemembered = 50_000;

export interface Remembered {
  readonly caller: Caller;
  /** The secret of an API key, against which Basic and signed requests are checked. */
  readonly secret?: Buffer;
  readonly expiresAtMs: number;
}

export interface CredentialMemory {
  find(name: string): Remembered | undefined;
  /** Looks a credential up and caches it, unless a change was announced meanwhile. */
  fill(name: string, look: () => Promise<Remembered | undefined>): Promise<Remembered | undefined>;
}

/**
 * A cache of credentials on this node, so that most requests need no query. Entries are removed when a credential
 * changes.
 */
export function createCredentialMemory(cluster: Cluster): CredentialMemory {
  const entries = new Map<string, Remembered>();
  let generation = 0;

  cluster.onAnnouncement(credentialsTopic, (userIDs) => {
    generation += 1;
    if (!userIDs) return entries.clear();
    const users = new Set(userIDs);
    for (const [name, { caller }] of entries) if (users.has(caller.userID)) entries.delete(name);
  });

  return {
    find(name) {
      // While the node may miss notifications, it does not use its cache.
      if (!cluster.isSubscribed) {
        entries.clear();
        return undefined;
      }
      const entry = entries.get(name);
      return entry && entry.expiresAtMs > Date.now() ? entry : undefined;
    },
    async fill(name, look) {
      const before = generation;
      const entry = await look();
      if (!entry || before !== generation || !cluster.isSubscribed) return entry;
      if (entries.size >= mostRemembered) entries.delete(entries.keys().next().value ?? '');
      entries.set(name, entry);
      return entry;
    },
  };
}
