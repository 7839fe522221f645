-- Trials of rules look up clips by what was measured, where few clips have such a value.
create index clip_facts_by_level on clip_facts (level_db) include (audio_clip_id);
create index clip_facts_by_clipping on clip_facts (clipped_percent) include (audio_clip_id);
create index clip_facts_by_speech on clip_facts (speech_ms) include (audio_clip_id);
