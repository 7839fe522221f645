-- Names and codes that people wrote in place of what an engine wrote: proposals for the vocabulary. They go with their
-- clip. See features/vocabulary.
create table corrected_terms (
  key bigint generated always as identity primary key,
  audio_clip_id bigint not null references audio_clips (key) on delete cascade,
  term text not null,
  heard_as text not null,
  is_dismissed boolean not null default false
);
create index corrected_terms_of_clip on corrected_terms (audio_clip_id);
