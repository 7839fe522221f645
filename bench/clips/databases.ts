import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Credential } from '@earshot/client/credential';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { createPeople } from '@earshot/server/testing/person';
import { runServer, type RunningServer } from '../http/processes.ts';
import { createDatabase } from '../queue/databases.ts';
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

const script = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url));

export async function openServed(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
  size: Size,
): Promise<Served> {
  const { url, db } = await createDatabase(postgres, dataDir, name);
  const admin = { email: 'bench@example.org', password: randomBytes(12).toString('hex') };
  const server = await runServer([script], {
    EARSHOT_DATABASE_URL: url,
    EARSHOT_DATA_DIR: join(dataDir, name),
    EARSHOT_PORT: '0',
    EARSHOT_RATE_LIMIT: '0',
    EARSHOT_CAPTION_ENGINE: 'none',
    EARSHOT_ADMIN_EMAIL: admin.email,
    EARSHOT_ADMIN_PASSWORD: admin.password,
  });
  const people = createPeople(server.url);
  // A member's statements carry the whole condition of what they may see; an admin's are shorter.
  const member = await people.add(await people.signIn(admin.email, admin.password));
  const { credential } = await member.withKey();
  await fillClips(db, member.userID, size);
  return { size, url, db, userID: member.userID, credential, server };
}
