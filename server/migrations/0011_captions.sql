-- What was heard in clips: every version of it, which one holds, and what is still to be listened to. See features/caption.

-- What holds now. Its words are those of its version.
alter table captions
  add column version integer not null default 1,
  -- The sound it was made of; unset when nobody knows.
  add column file_id bigint,
  add column language text,
  -- False: somebody speaks, but in no language that the engine knows.
  add column is_language_known boolean not null default true,
  add column engine_name text,
  add column engine_version text,
  -- Set when it was written or corrected by hand.
  add column corrected_by bigint,
  add column corrected_date timestamptz,
  add column last_modified_date timestamptz;

create table caption_versions (
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  version integer not null check (version >= 1),
  origin text not null check (origin in ('engine', 'hand')),
  transcript text not null,
  segments jsonb not null,
  -- Whether the times of its words were found in the sound, rather than carried over or guessed.
  is_timed boolean not null,
  file_id bigint,
  language text,
  is_language_known boolean not null,
  engine_name text,
  engine_version text,
  -- The version that was corrected, timed or gone back to.
  based_on integer,
  -- The event that made it: done again after a crash, it finds that it was done.
  event_id bigint,
  created_by bigint,
  creation_date timestamptz not null default now(),
  primary key (audio_clip_id, version)
);
create unique index caption_versions_of_event on caption_versions (audio_clip_id, event_id) where event_id is not null;

insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known, creation_date)
select audio_clip_id, version, 'engine', transcript, '[]', false, true, creation_date from captions;

-- The event that is to caption a clip. It goes with the caption's writing, so that sound which comes after that is heard too.
create table caption_orders (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  event_id bigint not null
);

-- Asked for before the sound was there.
create table caption_wishes (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  user_id bigint,
  creation_date timestamptz not null default now()
);

-- The engine that put it there; unset for those put by hand, which no engine touches.
alter table audio_clip_tags add column origin text;

-- How the engines of each worker are, for whoever asks another node.
create table listening_nodes (
  node uuid primary key,
  engine_name text not null,
  engine_version text not null,
  state text not null check (state in ('ready', 'preparing', 'unavailable')),
  reason text,
  heard_date timestamptz not null default now()
);

-- What the platform itself failed at, for how it has been lately.
create index events_failed_by_platform on events (event_type_id, taken_date)
  where server_event = 1 and event_status in (5, 6);
