import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { Person } from '@earshot/server/testing/person';
import { createPeople } from '@earshot/server/testing/person';
import type { RunningServer } from './http/processes.ts';
import { runServer } from './http/processes.ts';
import { createDatabase } from './queue/databases.ts';

export interface ServedDatabase {
  readonly url: string;
  readonly db: Pool;
  readonly server: RunningServer;
  readonly people: ReturnType<typeof createPeople>;
  readonly admin: Person;
}

const script = fileURLToPath(new URL('../server/dist/main.js', import.meta.url));

/** The built server with its own database, which contains only its admin, or what an earlier run has kept. */
export async function serveDatabase(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<ServedDatabase> {
  const { url, db } = await createDatabase(postgres, dataDir, name);
  const account = { email: 'bench@example.org', password: await keptPassword(join(dataDir, `${name}.password`)) };
  const server = await runServer([script], {
    EARSHOT_DATABASE_URL: url,
    EARSHOT_DATA_DIR: join(dataDir, name),
    EARSHOT_PORT: '0',
    EARSHOT_RATE_LIMIT: '0',
    EARSHOT_CAPTION_ENGINE: 'none',
    EARSHOT_ADMIN_EMAIL: account.email,
    EARSHOT_ADMIN_PASSWORD: account.password,
    ...settings,
  });
  const people = createPeople(server.url);
  return { url, db, server, people, admin: await people.signIn(account.email, account.password) };
}

async function keptPassword(path: string): Promise<string> {
  await writeFile(path, randomBytes(12).toString('hex'), { flag: 'wx', mode: 0o600 }).catch(() => {});
  return readFile(path, 'utf8');
}
