import type { Db, Fragment } from '../../platform/database/connect.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';

/*
 * Whether a device is online is computed from its last contact on every read. Going online or offline is a change that
 * must be recorded once, by any node: a row in online_devices means that the device was recorded as online.
 *
 *   contact    upserts the row; a new row means that the device went online. Most contacts find a row that is valid for
 *              longer, and write nothing.
 *   the loop   locks the rows that have expired: it renews those with contact since, and deletes the others, whose
 *              devices went offline.
 *
 * A contact within the last `renewSeconds` of a row locks the row, so the loop never deletes a row that is being
 * renewed. All times are the database's.
 */

/** A device is online if one of its agents, or a poll for it, had contact within this time. */
const onlineSeconds = 120;
const renewSeconds = 30;

const window = (db: Db): Fragment => db`make_interval(secs => ${onlineSeconds})`;

/** The time of last contact as `contact.heard`, to be joined to `devices d`. A device has few agents. */
export const lastContact = (db: Db): Fragment => db`
  lateral (select greatest(d.last_poll_date, max(a.last_heard_from_date)) as heard
    from agents a where a.device_id = d.key) contact`;

export const isOnline = (db: Db): Fragment => db`coalesce(contact.heard > now() - ${window(db)}, false)`;

/** Part of a statement: `came`, the devices that go online by this contact. `devices` is a query for `device_id`. */
export const noteContact = (db: Db, devices: Fragment): Fragment => db`
  came as (
    insert into online_devices as o (device_id, until)
    select c.device_id, now() + ${window(db)} from (${devices}) c
    where not exists (
      select 1 from online_devices known
      where known.device_id = c.device_id and known.until > now() + make_interval(secs => ${renewSeconds}))
    order by c.device_id
    on conflict (device_id) do update set until = excluded.until
    returning o.device_id as key, o.device_id, o.since)`;

/** The devices in `came` that were not online before. */
export const cameOnline = (db: Db) =>
  ({ kind: 'device', change: 'changed', rows: db`(select key, device_id from came where since = now())` }) as const;

/** Records devices that went offline, and returns their number. */
export async function announceSilent(db: Db, most: number): Promise<number> {
  const gone = await db`
    with due as (
      select o.device_id from online_devices o where o.until <= now()
      order by o.until limit ${most} for update skip locked),
    looked as (
      select d.key, contact.heard, ${isOnline(db)} as online
      from due join devices d on d.key = due.device_id cross join ${lastContact(db)}),
    kept as (
      update online_devices o set until = looked.heard + ${window(db)} from looked
      where o.device_id = looked.key and looked.online),
    gone as (
      delete from online_devices o using looked
      where o.device_id = looked.key and not looked.online returning o.device_id as key, o.device_id)
    ${recordChanges(db, { kind: 'device', change: 'changed', rows: db`gone` })} returning 1`;
  return gone.length;
}
