import type { Credential } from '@earshot/client/credential';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { EmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import type { Caller } from '@earshot/server/platform/http/caller';
import type { Person } from '@earshot/server/testing/person';
import type { Size } from '../clips/fill.ts';
import { clipsIn, fillClips } from '../clips/fill.ts';
import type { RunningServer } from '../http/processes.ts';
import type { ServedDatabase } from '../serve-database.ts';
import { serveDatabase } from '../serve-database.ts';
import { fillCaptions, indexCaptions } from './fill.ts';

export interface Asker {
  readonly name: string;
  readonly caller: Caller;
  readonly credential: Credential;
  /** One of the devices that this person may read. */
  readonly deviceID: number;
}

/** A server with its own database: an admin, and members with a fifth of the devices, with three, and with one. */
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
  const served = await serveDatabase(postgres, dataDir, name);
  const { url, db, server, admin } = served;
  const isFilled = (await db`select 1 from captions limit 1`).length > 0;
  if (!isFilled) {
    await fillClips(db, admin.userID, size);
    await fillCaptions(db, url);
  }
  await indexCaptions(db);
  await db`update devices set user_id = ${admin.userID}`;
  const devices = (await db<{ key: number }[]>`select key from devices order by key`).map(({ key }) => key);
  const askers = [await asker('admin', 'admin', admin, devices[0]!)];
  const middle = Math.floor(devices.length / 2);
  for (const own of [
    devices.slice(0, Math.floor(devices.length / 5)),
    devices.slice(middle, middle + 3),
    devices.slice(middle + 3, middle + 4),
  ]) {
    if (own.length > 0) askers.push(await addMember(served, own));
  }
  await db.unsafe('vacuum analyze devices');
  return { captions: clipsIn(size), db, server, askers };
}

async function addMember({ db, people, admin }: ServedDatabase, devices: readonly number[]): Promise<Asker> {
  const member = await people.add(admin);
  await db`update devices set user_id = ${member.userID} where key = any(${devices as number[]}::bigint[])`;
  return asker(devices.length === 1 ? '1 device' : `${devices.length} devices`, 'member', member, devices[0]!);
}

const asker = async (name: string, role: Caller['role'], person: Person, deviceID: number): Promise<Asker> => ({
  name,
  caller: { userID: person.userID, role, credential: person.email },
  credential: (await person.withKey()).credential,
  deviceID,
});
