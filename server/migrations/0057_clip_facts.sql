-- Facts of the sound of clips; see features/clip-facts. A row belongs to the sound that its clip has now, or had until
-- retention removed it.

create table clip_facts (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  -- What was measured. No reference: facts stay when retention removes the file.
  file_id bigint not null,
  -- Why the sound could not be measured; then no fact is set.
  fault text,
  sound_ms bigint,
  -- In dBFS, in hundredths.
  level_db double precision,
  peak_db double precision,
  -- In ten-thousandths.
  clipped_percent double precision,
  is_digital_silence boolean,
  -- Unset for lossy codecs.
  repeated_ms bigint,
  -- Unset where the voice gate was not available.
  speech_ms bigint,
  measured_date timestamptz not null default now()
);

-- Clips that got their sound and are not measured yet. No reference, which would cost each upload a lookup: a row of a clip
-- that is gone is removed when it is taken.
create table clips_to_measure (
  audio_clip_id bigint primary key,
  -- Later for clips that will be captioned, because captioning measures.
  due_date timestamptz not null,
  -- While a node measures.
  held_until timestamptz,
  attempts smallint not null default 0
);
create index clips_to_measure_due on clips_to_measure (due_date);

-- Measuring clips of before this table, from the newest to the oldest.
create table older_clips_to_measure (
  only_row boolean primary key default true check (only_row),
  -- Unset: as it is usual for the storage.
  is_enabled boolean,
  -- Clips below this key are left; unset: not begun.
  next_key bigint,
  measured_count bigint not null default 0,
  failed_count bigint not null default 0,
  ended_date timestamptz,
  -- The node that does it, and until when it holds this work.
  node uuid,
  held_until timestamptz
);
insert into older_clips_to_measure default values;

-- Facts go when a clip gets other sound or loses it, except by retention. A trigger, because nodes of the version before
-- replace sound too. The first sound of a clip does not fire it.
create function remove_facts_of_former_sound() returns trigger language plpgsql as $$
begin
  delete from clip_facts where audio_clip_id = new.key;
  return null;
end $$;
create trigger audio_clips_remove_facts after update of file_id on audio_clips
  for each row
  when (new.file_id is distinct from old.file_id and new.audio_clip_status <> 5
    and (old.file_id is not null or old.audio_clip_status = 5))
  execute function remove_facts_of_former_sound();

-- Rules ask for facts, so a clip is judged again when they come or go (0053).
create trigger clip_facts_judge after insert or update or delete on clip_facts
  for each row execute function judge_clip_of_row();
insert into recorded_facts (fact) values ('sound');
