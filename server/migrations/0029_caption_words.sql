-- The distinct words of all transcripts, by which a search finds similar words. They belong to nobody: a search uses them
-- to find captions that its caller may read, and never shows them.

create table caption_words (
  word text collate "C" primary key,
  -- Numbers of how it sounds and of the word without one letter: similar words have one in common.
  keys integer[] not null
);
create index caption_words_by_keys on caption_words using gin (keys) with (fastupdate = off);
