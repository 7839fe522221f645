-- The search for what was said, and the searches that people keep.

create table caption_search (
  audio_clip_id bigint primary key references captions (audio_clip_id) on delete cascade,
  device_id bigint not null,
  -- Of its clip, so that what is found comes in time order.
  start_ms bigint not null,
  -- The words of the transcript as they are compared, each between blanks.
  text text collate "C" not null,
  -- Which short runs of signs are in it, as numbers. Only the index reads them.
  grams integer[] not null
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Both are read as they are; to make them smaller would cost more than it saves.
alter table caption_search alter column grams set storage external;
alter table caption_search alter column text set storage external;
-- Nothing is ever planned by how often a gram occurs, and counting them would be the most of an analysis.
alter table caption_search alter column grams set statistics 0;

-- What is not merged yet would be looked through by every search: there is no list of pending entries.
create index caption_search_by_grams on caption_search using gin (grams) with (fastupdate = off);
create index caption_search_in_time on caption_search (start_ms desc, audio_clip_id desc);
create index caption_search_of_device on caption_search (device_id, start_ms desc, audio_clip_id desc);

create table saved_searches (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  search_name text not null,
  search jsonb not null,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index saved_searches_of_user on saved_searches (user_id, creation_date desc, key desc);
