-- The former sound of clips: what a clip had before a person replaced it or took it away. See features/audio-clip/version.
create table clip_versions (
  key bigint generated always as identity primary key,
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  device_id bigint not null,
  -- Checked at the end of the transaction: clips come before files in the order of locks.
  file_id bigint not null references files (key) on delete cascade deferrable initially deferred,
  -- 32 bytes; unset for files of before hashes were required.
  sha256 bytea,
  -- The times that the clip had with this sound.
  start_ms bigint not null,
  end_ms bigint,
  former_date timestamptz not null default now(),
  -- The person who replaced the sound or took it away.
  replaced_by bigint
);
create index clip_versions_of_clip on clip_versions (audio_clip_id);
create index clip_versions_of_device on clip_versions (device_id);
create index clip_versions_by_file on clip_versions (file_id);

-- A file that is former sound and has no other use: only the owner of its device and admins may read it.
alter table files add column is_former boolean not null default false;

-- The sound that arrived first, once a person has replaced it: a recorder that sends it again brings nothing back.
alter table clip_recordings add column first_sha256 bytea;
