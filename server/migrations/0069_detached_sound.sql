-- Since when a clip has no sound because a person took it away: a recorder that sends it again does not bring it back.
alter table audio_clips add column detach_date timestamptz;

-- What the audit trail knows of sound that was taken away before this migration. Clips that have their sound get no row:
-- its hash is read from the file when it is replaced, taken away or removed (docs/decisions/0032).
with last as (
  select distinct on (record_key) record_key as clip_id, action, audit_date, sha256_before
  from audit_entries where action in ('sound-replaced', 'sound-detached') order by record_key, audit_date desc, key desc),
detached as (
  update audio_clips c set detach_date = last.audit_date from last
  where last.action = 'sound-detached' and c.key = last.clip_id and c.file_id is null and c.audio_clip_status <> 5
  returning c.key, c.device_id, last.sha256_before)
insert into clip_recordings (audio_clip_id, device_id, sha256)
select key, device_id, sha256_before from detached
on conflict (audio_clip_id) do update set sha256 = excluded.sha256 where clip_recordings.sha256 is null;

-- And of the sound that arrived first, where only a later one was remembered.
update clip_recordings r set first_sha256 = e.sha256_before
from (
  select distinct on (record_key) record_key, sha256_before
  from audit_entries where action in ('sound-replaced', 'sound-detached') and sha256_before is not null
  order by record_key, audit_date, key) e
where e.record_key = r.audio_clip_id and r.first_sha256 is null and r.sha256 <> e.sha256_before;
