alter table captions add column version integer not null default 1;
create table caption_versions (
  audio_clip_id bigint not null references captions (audio_clip_id) on delete cascade,
  version integer not null,
  segments jsonb not null,
  primary key (audio_clip_id, version)
);
