import type { Db, Fragment } from '../../platform/database/connect.ts';
import { deviceContact, isDeviceOnline, renewSeconds, window } from './presence-queries.ts';
import { removeExpired } from '../../platform/database/expired-rows.ts';
import { recordChanges } from '../../platform/changes/record-changes.ts';

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
  ({
    kind: 'device',
    change: 'changed',
    rows: db`(select key, device_id from came where since = now())`,
    outcome: db`'online'`,
  }) as const;

/** Records devices that went offline, and returns their number. */
export async function recordOfflineDevices(db: Db, most: number): Promise<number> {
  const gone = await db`
    with due as (
      select o.device_id from online_devices o where o.until <= now()
      order by o.until limit ${most} for update skip locked),
    looked as (
      select d.key, contact.heard, ${isDeviceOnline(db)} as online
      from due join devices d on d.key = due.device_id cross join ${deviceContact(db)}),
    kept as (
      update online_devices o set until = looked.heard + ${window(db)} from looked
      where o.device_id = looked.key and looked.online),
    gone as (
      delete from online_devices o using looked
      where o.device_id = looked.key and not looked.online
      returning o.device_id as key, o.device_id, o.since, looked.heard),
    noted as (
      insert into online_times (device_id, since, until)
      select device_id, since, greatest(since, coalesce(heard + ${window(db)}, since)) from gone)
    ${recordChanges(db, {
      kind: 'device',
      change: 'changed',
      rows: db`(select key, device_id from gone)`,
      outcome: db`'offline'`,
    })} returning 1`;
  return gone.length;
}

/** Removes the times when devices were online that ended before the days that are kept. */
export const sweepOnlineTimes = (db: Db, days: number): Promise<void> =>
  removeExpired(db, 'online_times', db`until < now() - make_interval(days => ${days})`);

export const recordPoll = (db: Db, deviceID: number): Promise<void> =>
  notePolls(db, db`select d.key from devices d where d.key = ${deviceID} for key share`);

/** Never waits for locks: a locked device is being polled or removed, and the next poll records it. */
export const recordPolls = (db: Db, deviceIDs: readonly number[]): Promise<void> =>
  notePolls(
    db,
    db`
      select d.key from devices d join device_states state on state.device_id = d.key
      where d.key = any(${deviceIDs as number[]}::bigint[])
      for key share of d skip locked for no key update of state skip locked`,
  );

/** `devices` is a query for `key` that locks the devices, because presence refers to them. */
async function notePolls(db: Db, devices: Fragment): Promise<void> {
  await db`
    with known as (${devices}),
    polled as (
      update device_states state set last_poll_date = now() from known where state.device_id = known.key
      returning state.device_id),
    ${noteContact(db, db`select device_id from polled`)}
    ${recordChanges(db, cameOnline(db))}`;
}
