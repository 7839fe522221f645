-- Clips, their tags and their captions. Rows stay small; sound is in storage. Times are milliseconds since 1970.

create table audio_clips (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  audio_clip_type_id bigint not null default 0,
  start_ms bigint not null check (start_ms >= 0),
  -- Unset while nobody knows how long it is.
  end_ms bigint check (end_ms between start_ms and start_ms + 86400000),
  audio_clip_status smallint not null default 0 check (audio_clip_status between 0 and 5),
  file_id bigint references files (key) on delete set null,
  file_size bigint,
  bitrate bigint,
  tag_list_id bigint,
  created_by bigint,
  last_modified_by bigint,
  creation_date timestamptz not null default now(),
  last_modified_date timestamptz,
  -- Set while it is kept whatever its age.
  lock_date timestamptz,
  locked_by bigint,
  audio_clip_parameters text,
  local_file_path text,
  check (audio_clip_status <> 3 or file_id is not null),
  -- A clip that is sent again is the clip that is there.
  constraint audio_clips_announced unique (device_id, audio_clip_type_id, start_ms)
) with (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Every list of a device reads along this, from either end, and stops when it has enough.
create index audio_clips_of_device on audio_clips (device_id, start_ms desc, key desc);
create index audio_clips_by_file on audio_clips (file_id) where file_id is not null;
-- What retention looks at: the oldest files of a device that may go, and what is kept in spite of its age.
create index audio_clips_to_expire on audio_clips (device_id, start_ms) where file_id is not null and lock_date is null;
create index audio_clips_locked on audio_clips (device_id, start_ms) where lock_date is not null;

-- No clip of the device was ever longer: how far before a range a clip that reaches into it can begin. It only grows.
alter table devices add column longest_clip_ms bigint not null default 0;

create table tags (
  key bigint generated always as identity primary key,
  tag_name text not null,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create unique index tags_by_name on tags (lower(tag_name));

create table audio_clip_tags (
  key bigint generated always as identity primary key,
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  device_id bigint not null,
  tag_id bigint not null references tags (key),
  -- Of its clip, so that clips with a tag are found in time order.
  clip_start_ms bigint not null,
  -- From the start of its clip, so that it stays at its sound when the clip's time is corrected.
  offset_ms bigint not null check (offset_ms >= 0),
  confidence real not null default 100 check (confidence between 0 and 100),
  creation_date timestamptz not null default now(),
  created_by bigint,
  unique (audio_clip_id, tag_id, offset_ms)
);
create index audio_clip_tags_of_device on audio_clip_tags (device_id, tag_id, clip_start_ms desc, audio_clip_id desc);

-- A clip has at most one caption, under the clip's own key.
create table captions (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  device_id bigint not null,
  transcript text not null,
  creation_date timestamptz not null default now()
);
