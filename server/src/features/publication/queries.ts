import { deviceRight } from '../../access.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

export async function isPublished(db: Db, deviceID: number): Promise<boolean> {
  return (await db`select 1 from published_devices where device_id = ${deviceID}`).length > 0;
}

/** With the rights of this person from now on. */
export async function publish(tx: Db, userID: number, deviceID: number): Promise<void> {
  await tx`
    insert into published_devices (device_id, published_by)
    select key, ${userID}::bigint from devices where key = ${deviceID}
    on conflict (device_id) do update set published_by = excluded.published_by`;
}

export async function withdraw(tx: Db, deviceID: number): Promise<void> {
  await tx`delete from published_devices where device_id = ${deviceID}`;
}

/** Those who have published devices, and may still act. */
export async function findPublishers(db: Db): Promise<Caller[]> {
  return db<Caller[]>`
    select u.key as "userID", u.role, 'publication' as credential from users u
    where not u.disabled and exists (select 1 from published_devices p where p.published_by = u.key) order by u.key`;
}

/** Withdraws what people published who are disabled now. */
export async function withdrawOfDisabled(db: Db): Promise<void> {
  await db`
    delete from published_devices p using users u where u.key = p.published_by and u.disabled`;
}

/** Withdraws devices that the publisher may no longer decide about: a right that comes back publishes nothing. */
export async function withdrawOfOthers(db: Db, publisher: Caller): Promise<void> {
  await db`
    delete from published_devices p using devices d
    where d.key = p.device_id and p.published_by = ${publisher.userID} and not ${deviceRight(db, publisher, 'own')}`;
}

/** Takes or renews the lease of the node that publishes. False: another node has it. */
export async function takeLease(db: Db, holder: string, seconds: number): Promise<boolean> {
  const rows = await db`
    update publication_lease set holder = ${holder}::uuid, held_until = now() + make_interval(secs => ${seconds})
    where holder is null or holder = ${holder}::uuid or held_until < now() returning 1`;
  return rows.length === 1;
}

export async function releaseLease(db: Db, holder: string): Promise<void> {
  await db`update publication_lease set holder = null, held_until = null where holder = ${holder}::uuid`;
}
