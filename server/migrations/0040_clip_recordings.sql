-- How the sound of a clip came: one row for each clip that got sound since this table exists. Clips of before have none:
-- what is missing here is read from their file. The row stays when retention removes the file.
create table clip_recordings (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  device_id bigint not null,
  -- The start that the sender gave. The clip may begin milliseconds later, or where a person has moved it.
  given_start_ms bigint,
  -- The clip that this one continues: the same file, before it grew. That clip may have been removed since.
  grown_from_id bigint,
  -- 32 bytes.
  sha256 bytea,
  -- As the sender named the recording.
  filename text,
  -- What a person called the clip; unset: the name of its file.
  title text,
  -- What was wrong with the header of the sound.
  sound_fault text
) with (autovacuum_vacuum_insert_scale_factor = 0.1);

-- Finds the same recording: same device, same given start, then same bytes.
create index clip_recordings_by_start on clip_recordings (device_id, given_start_ms);

-- The same of a file that was analysed before or after a clip got it.
alter table files add column sound_fault text;
