import type { Credential } from '@earshot/client/credential';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { RunningServer } from '../http/processes.ts';
import { serveDatabase } from '../serve-database.ts';
import type { Size } from './fill.ts';
import { fillClips } from './fill.ts';

/** A server with its own database, and a member who owns a fleet and all its clips. */
export interface ServedClips {
  readonly size: Size;
  readonly url: string;
  readonly db: Pool;
  readonly userID: number;
  readonly credential: Credential;
  readonly server: RunningServer;
}

export async function openServedClips(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
  size: Size,
): Promise<ServedClips> {
  const { url, db, server, people, admin } = await serveDatabase(postgres, dataDir, name);
  // The statements of a member contain the full access condition; those of an admin are shorter.
  const member = await people.add(admin);
  const { credential } = await member.withKey();
  await fillClips(db, member.userID, size);
  return { size, url, db, userID: member.userID, credential, server };
}
