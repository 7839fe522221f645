import type { Caller } from '../../platform/http/caller.ts';
import type { Cluster } from '../../platform/cluster.ts';

/** Announced with the keys of users whose credentials changed in any way. */
export const credentialsTopic = 'credentials';

/** More than the credentials of a large fleet; the oldest go first. */
const mostRemembered = 50_000;

export interface Remembered {
  readonly caller: Caller;
  /** For an API key: what Basic and signed requests are checked against. */
  readonly secret?: Buffer;
  readonly expiresAtMs: number;
}

export interface CredentialMemory {
  find(name: string): Remembered | undefined;
  /** Looks a credential up and remembers it, unless something was announced meanwhile. */
  fill(name: string, look: () => Promise<Remembered | undefined>): Promise<Remembered | undefined>;
}

/** What this node remembers of credentials, so that a request costs no query; forgotten as soon as one changes. */
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
      // A node that might have missed an announcement relies on nothing it remembers.
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
