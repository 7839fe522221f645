import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Retention } from '@earshot/contract/audio-clip-retention';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight, isFileShared } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';

/*
 * The age of a clip counts from its end. Its file is removed after its device's retention days, its row after twice as
 * many. Candidates are read from the oldest start on; the end is checked only for the few that began before the limit.
 */

/** The time this many days ago by the database's clock, in milliseconds. */
export const daysAgo = (db: Db, days: Fragment): Fragment =>
  db`((extract(epoch from now()) * 1000)::bigint - ${days}::bigint * 86400000)`;

export const endedBy = (db: Db, time: Fragment): Fragment =>
  db`c.start_ms <= ${time} and coalesce(c.end_ms, c.start_ms) <= ${time}`;

interface ExpiredClip {
  readonly fileID: number;
}

/**
 * Takes the files from clips that are past their device's retention days and returns the files' keys. Works in batches and
 * skips clips that another node has locked, because every node sweeps. The hash of the sound is remembered, for clips that
 * got their sound before hashes were kept too: after this, a device key brings back only the same bytes.
 */
export async function expireFiles(tx: Db, most: number): Promise<readonly number[]> {
  const rows = await tx<ExpiredClip[]>`
    with due as (
      select c.key, c.file_id from devices d cross join lateral (
        select c.key from audio_clips c
        where c.device_id = d.key and c.file_id is not null and c.lock_date is null
          and ${endedBy(tx, daysAgo(tx, tx`d.retention_days`))}
        order by c.start_ms limit ${most}) old
      join audio_clips c on c.key = old.key
      where d.retention_days is not null and c.file_id is not null and c.lock_date is null
      limit ${most} for no key update of c skip locked),
    changed as (
      update audio_clips c set audio_clip_status = ${audioClipStatus.expired}, file_id = null, last_modified_date = now()
      from due where c.key = due.key returning c.key, c.device_id),
    remembered as (
      insert into clip_recordings (audio_clip_id, device_id, sha256)
      select changed.key, changed.device_id, decode(f.sha256_hash, 'hex')
      from changed join due on due.key = changed.key cross join lateral (
        select f.sha256_hash from files f where f.key = due.file_id and f.sha256_hash is not null limit 1) f
      on conflict (audio_clip_id) do update set sha256 = excluded.sha256 where clip_recordings.sha256 is null),
    logged as (${recordChanges(tx, { kind: 'audioclip', change: 'changed', rows: tx`(select * from changed order by key)` })})
    select due.file_id as "fileID" from due`;
  return rows.map(({ fileID }) => fileID);
}

/**
 * Removes clips that are past twice the retention days, with their captions and tags. Returns their number. Their files
 * were removed before.
 */
export async function removeOldClips(db: Db, most: number): Promise<number> {
  const rows = await db`
    with due as (
      select c.key from devices d cross join lateral (
        select c.key from audio_clips c
        where c.device_id = d.key and c.file_id is null and c.lock_date is null
          and ${endedBy(db, daysAgo(db, db`2 * d.retention_days`))}
        order by c.start_ms, c.key limit ${most}) old
      join audio_clips c on c.key = old.key
      where d.retention_days is not null and c.file_id is null and c.lock_date is null
      limit ${most} for no key update of c skip locked),
    gone as (delete from audio_clips c using due where c.key = due.key returning c.key, c.device_id)
    ${recordChanges(db, { kind: 'audioclip', change: 'removed', rows: db`(select * from gone order by key)` })} returning 1`;
  return rows.length;
}

/**
 * What the sweep would remove from a device now, each count up to `most`; undefined if the caller may not read the
 * device.
 */
export async function findRetention(
  db: Db,
  caller: Caller,
  deviceID: number,
  askedDays: number | undefined,
  most: number,
): Promise<Retention | undefined> {
  const [row] = await db<Retention[]>`
    with device as (
      select d.key, coalesce(${askedDays ?? null}::int, d.retention_days) as days from devices d
      where d.key = ${deviceID} and ${deviceRight(db, caller, 'read')}),
    expiring as materialized (
      select c.key, c.start_ms, c.file_id from device d join audio_clips c on c.device_id = d.key
      where c.file_id is not null and c.lock_date is null and ${endedBy(db, daysAgo(db, db`d.days`))}
      order by c.start_ms limit ${most}),
    former as (
      select v.key, v.file_id from device d join clip_versions v on v.device_id = d.key cross join lateral (
        select 1 from audio_clips c
        where c.key = v.audio_clip_id and c.lock_date is null and ${endedBy(db, daysAgo(db, db`d.days`))} limit 1) c),
    files_to_go as (
      select f.key, f.file_size from (select file_id from expiring union select file_id from former) e
      join files f on f.key = e.file_id
      where not exists (select 1 from audio_clips o where o.file_id = f.key and o.key not in (select key from expiring))
        and not exists (select 1 from clip_versions o where o.file_id = f.key and o.key not in (select key from former))
        and not ${isFileShared(db)}),
    removable as (
      select 1 from device d join audio_clips c on c.device_id = d.key
      where c.lock_date is null and ${endedBy(db, daysAgo(db, db`2 * d.days`))} limit ${most}),
    locked as (
      select 1 from device d join audio_clips c on c.device_id = d.key
      where c.lock_date is not null and ${endedBy(db, daysAgo(db, db`d.days`))}
        and (c.file_id is not null or ${endedBy(db, daysAgo(db, db`2 * d.days`))}) limit ${most})
    select key as "deviceID", days as "retentionDays",
      (select count(*) from files_to_go) as "expiringFileCount",
      (select coalesce(sum(file_size), 0)::bigint from files_to_go) as "expiringBytes",
      (select count(*) from removable) as "removableClipCount", (select count(*) from locked) as "lockedClipCount",
      (select min(start_ms) / 1000 from expiring) as "oldestExpiringTime"
    from device`;
  return row;
}
