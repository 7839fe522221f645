import type { Credential } from '@earshot/client/credential';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { Person } from '@earshot/server/testing/person';
import { clipsIn, fillClips, type Size } from '../clips/fill.ts';
import type { RunningServer } from '../http/processes.ts';
import { serveDatabase } from '../serve-database.ts';
import { fillCaptions } from './fill.ts';

export interface Asker {
  readonly name: string;
  readonly caller: Caller;
  readonly credential: Credential;
}

/** A server with its own database: an admin, and a member with three of the devices. */
export interface ServedSearch {
  readonly captions: number;
  readonly db: Pool;
  readonly server: RunningServer;
  readonly askers: readonly Asker[];
}

export async function openServedSearch(
  postgres: EmbeddedPostgres,
  dataDir: string,
  name: string,
  size: Size,
): Promise<ServedSearch> {
  const { url, db, server, people, admin } = await serveDatabase(postgres, dataDir, name);
  const member = await people.add(admin);
  const isFilled = (await db`select 1 from captions limit 1`).length > 0;
  if (!isFilled) {
    await fillClips(db, admin.userID, size);
    await fillCaptions(db, url);
  }
  await db`
    update devices set user_id = ${member.userID}
    where key in (select key from devices order by key offset ${Math.floor(size.devices / 2)} limit 3)`;
  await db.unsafe('vacuum analyze devices');
  const askers = [await asker('admin', 'admin', admin), await asker('3 devices', 'member', member)];
  return { captions: clipsIn(size), db, server, askers };
}

const asker = async (name: string, role: Caller['role'], person: Person): Promise<Asker> => ({
  name,
  caller: { userID: person.userID, role, credential: person.email },
  credential: (await person.withKey()).credential,
});
