-- Facts that rules ask for, and that nothing else needed.

-- The sound of a clip that an engine has labelled: only then is it known which tags the clip does not have.
create table clip_labellings (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  file_id bigint not null,
  labelled_date timestamptz not null default now()
);

-- The facts of sound stay when retention removes it, and go when the clip gets other sound. Nodes of the version before
-- change sound too.
create function forget_labelling() returns trigger language plpgsql as $$
begin
  delete from clip_labellings where audio_clip_id = new.key and file_id <> new.file_id;
  return null;
end $$;
create trigger audio_clips_forget_labelling after update of file_id on audio_clips
  for each row when (new.file_id is not null and new.file_id is distinct from old.file_id)
  execute function forget_labelling();

-- The rule that put a tag: such a tag satisfies no rule.
alter table audio_clip_tags add column rule_id bigint;

-- From when on a fact is recorded of every clip.
create table recorded_facts (
  fact text primary key,
  since timestamptz not null default now()
);
insert into recorded_facts (fact) values ('labels');
