-- A device may record several talkgroups at the same time; 0: not a radio call.
alter table audio_clips add column talkgroup bigint not null default 0;
alter table audio_clips drop constraint audio_clips_announced;
alter table audio_clips add constraint audio_clips_announced
  unique (device_id, audio_clip_type_id, start_ms, talkgroup);

-- What a radio recorder tells about a clip.
create table radio_calls (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  device_id bigint not null,
  -- As in audio_clips, so that lists can follow the indexes below.
  clip_start_ms bigint not null,
  talkgroup bigint not null,
  -- The first radio that transmitted, and all of them.
  unit bigint,
  units bigint[] not null default '{}',
  -- Hertz.
  frequency bigint,
  is_emergency boolean not null default false,
  site text,
  -- Other talkgroups that the call was patched to.
  patches bigint[] not null default '{}',
  arrival_date timestamptz not null default now(),
  -- Whether the recorder's clock was far from the time of arrival.
  is_clock_off boolean not null default false
);
create index radio_calls_of_talkgroup on radio_calls (device_id, talkgroup, clip_start_ms, audio_clip_id);
create index radio_calls_of_unit on radio_calls (device_id, unit, clip_start_ms, audio_clip_id) where unit is not null;
create index radio_calls_of_emergency on radio_calls (device_id, clip_start_ms, audio_clip_id) where is_emergency;

-- The names of talkgroups on a device: as its recorder sends them, or as a person wrote or imported them.
create table talkgroups (
  device_id bigint not null references devices (key) on delete cascade,
  talkgroup bigint not null,
  label text,
  name text,
  group_name text,
  tag text,
  is_edited boolean not null default false,
  last_modified_date timestamptz not null default now(),
  primary key (device_id, talkgroup)
);
