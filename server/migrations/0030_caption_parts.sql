-- The transcription of long clips while it is in progress. See features/caption/hear.ts.

-- A run of an engine that is not finished. It is deleted by the transaction that writes the version.
create table caption_runs (
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  event_id bigint not null,
  -- A run continues only with the same sound and the same engine.
  file_id bigint not null,
  engine_name text not null,
  engine_version text not null,
  language text,
  -- All sound before this time is transcribed.
  heard_until_ms integer not null,
  -- The worker that continues the run. Parts of any other worker are refused.
  holder uuid not null,
  creation_date timestamptz not null default now(),
  last_modified_date timestamptz not null default now(),
  primary key (audio_clip_id, event_id)
);

-- What was heard since the part before. Parts are only added, so an hour of words is not rewritten for each of them.
create table caption_parts (
  audio_clip_id bigint not null,
  event_id bigint not null,
  until_ms integer not null,
  segments jsonb not null,
  primary key (audio_clip_id, event_id, until_ms),
  foreign key (audio_clip_id, event_id) references caption_runs (audio_clip_id, event_id) on delete cascade
);

-- Clips whose caption is written and whose sounds are not labelled yet, with the event that labels them.
create table label_orders (
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  event_id bigint not null,
  primary key (audio_clip_id, event_id)
);

-- The profile that transcribes the clips of the device; null: that of the installation.
alter table devices add column caption_engine text;
