import type { Credential } from '@earshot/client/credential';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { RunningServer } from '../http/processes.ts';
import { serveDatabase } from '../serve-database.ts';
import { fillClips, type Size } from './fill.ts';

/** A server on a database of its own, with a member who owns a fleet and all its clips. */
export interface Served {
  readonly size: Size;
  readonly url: string;
  readonly db: Pool;
  readonly userID: number;
  readonly credential: Credential;
  readonly server: RunningServer;
}

export async function openServed(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
  size: Size,
): Promise<Served> {
  const { url, db, server, people, admin } = await serveDatabase(postgres, dataDir, name);
  // A member's statements carry the whole condition of what they may see; an admin's are shorter.
  const member = await people.add(admin);
  const { credential } = await member.withKey();
  await fillClips(db, member.userID, size);
  return { size, url, db, userID: member.userID, credential, server };
}
