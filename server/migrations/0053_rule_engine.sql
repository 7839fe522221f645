-- What is to be judged by rules, and what was found. See features/rule/engine. No row has a word of a clip: texts are read
-- from the clip when they are shown.

-- Places in time at which a clip has changed, was added or is gone: the clip is to be judged, and so are the windows that
-- reach to it. Written by triggers, in the transaction of each change, because nodes of the version before change clips too.
create table clips_to_judge (
  key bigint generated always as identity primary key,
  audio_clip_id bigint not null,
  device_id bigint not null,
  start_ms bigint not null
) with (autovacuum_vacuum_scale_factor = 0.02);

create function judge_new_clips() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms) select key, device_id, start_ms from added;
  return null;
end $$;
create trigger audio_clips_judge_new after insert on audio_clips
  referencing new table as added for each statement execute function judge_new_clips();

create function judge_changed_clip() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms) values (new.key, new.device_id, new.start_ms);
  if (new.device_id, new.start_ms) <> (old.device_id, old.start_ms) then
    insert into clips_to_judge (audio_clip_id, device_id, start_ms) values (old.key, old.device_id, old.start_ms);
  end if;
  return null;
end $$;
create trigger audio_clips_judge_changed after update on audio_clips for each row
  when ((old.device_id, old.start_ms) <> (new.device_id, new.start_ms) or old.end_ms is distinct from new.end_ms
    or old.file_id is distinct from new.file_id or old.audio_clip_status <> new.audio_clip_status)
  execute function judge_changed_clip();

create function judge_removed_clips() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms) select key, device_id, start_ms from gone;
  return null;
end $$;
create trigger audio_clips_judge_removed after delete on audio_clips
  referencing old table as gone for each statement execute function judge_removed_clips();

-- A caption, a radio call, a labelling: rows that have the key of their clip. A clip that is gone is to be judged itself.
create function judge_clip_of_row() returns trigger language plpgsql as $$
begin
  insert into clips_to_judge (audio_clip_id, device_id, start_ms)
  select c.key, c.device_id, c.start_ms from audio_clips c
  where c.key = case when tg_op = 'DELETE' then old.audio_clip_id else new.audio_clip_id end;
  return null;
end $$;
create trigger caption_search_judge after insert or delete on caption_search
  for each row execute function judge_clip_of_row();
create trigger caption_search_judge_changed after update on caption_search
  for each row when (old.text is distinct from new.text) execute function judge_clip_of_row();
create trigger radio_calls_judge after insert or delete on radio_calls
  for each row execute function judge_clip_of_row();
create trigger radio_calls_judge_changed after update on radio_calls for each row
  when (old.talkgroup <> new.talkgroup or old.units <> new.units or old.is_emergency <> new.is_emergency)
  execute function judge_clip_of_row();
create trigger clip_labellings_judge after insert or update or delete on clip_labellings
  for each row execute function judge_clip_of_row();
create trigger audio_clip_tags_judge_new after insert on audio_clip_tags
  for each row when (new.rule_id is null) execute function judge_clip_of_row();
create trigger audio_clip_tags_judge_removed after delete on audio_clip_tags
  for each row when (old.rule_id is null) execute function judge_clip_of_row();
create trigger audio_clip_tags_judge_changed after update on audio_clip_tags for each row
  when (old.confidence <> new.confidence or old.tag_id <> new.tag_id or old.rule_id is distinct from new.rule_id)
  execute function judge_clip_of_row();

create table rule_matches (
  key bigint generated always as identity primary key,
  rule_id bigint not null references rules (key) on delete cascade,
  rule_version integer not null,
  -- Without a reference: kept as withdrawn when the clip is gone.
  audio_clip_id bigint not null,
  device_id bigint not null references devices (key) on delete cascade,
  -- As the clip was when it was judged.
  start_ms bigint not null,
  end_ms bigint,
  is_withdrawn boolean not null default false,
  judged_date timestamptz not null default clock_timestamp(),
  withdrawn_date timestamptz,
  unique (rule_id, audio_clip_id)
);
create index rule_matches_of_clip on rule_matches (audio_clip_id);
create index rule_matches_of_rule on rule_matches (rule_id, start_ms desc, key desc);
create index rule_matches_of_device on rule_matches (device_id, start_ms desc, key desc);
create index rule_matches_by_date on rule_matches (judged_date);

-- Rules whose matches are to be looked at again although no clip has changed: because the time zone of a device did, or, of a
-- rule that counts across devices, what its owner may read. Done in pieces of time, the newest first.
create table rule_sweeps (
  key bigint generated always as identity primary key,
  rule_id bigint not null references rules (key) on delete cascade,
  -- Unset: all devices of the rule.
  device_id bigint references devices (key) on delete cascade,
  -- Clips that begin at this time or later have been looked at.
  until_ms bigint not null default 9223372036854775807
);
create index rule_sweeps_of_rule on rule_sweeps (rule_id);
create index rule_sweeps_of_device on rule_sweeps (device_id) where device_id is not null;

create function sweep_rules_of_zone() returns trigger language plpgsql as $$
begin
  insert into rule_sweeps (rule_id, device_id)
  select r.key, new.key from rules r where r.is_enabled and exists (
    select 1 from jsonb_array_elements(r.definition -> 'activeTimes') a (span) where not a.span ? 'timeZone');
  return null;
end $$;
create trigger devices_sweep_rules after update on devices for each row
  when (old.time_zone is distinct from new.time_zone) execute function sweep_rules_of_zone();

create function sweep_rules_across_devices() returns trigger language plpgsql as $$
begin
  insert into rule_sweeps (rule_id)
  select r.key from rules r where r.is_enabled and r.definition #> '{atLeast,acrossDevices}' = 'true';
  return null;
end $$;
create trigger devices_owner_sweep_rules after update on devices for each row
  when (old.user_id <> new.user_id) execute function sweep_rules_across_devices();
create trigger users_sweep_rules after update on users for each row
  when (old.role <> new.role) execute function sweep_rules_across_devices();
create trigger collection_items_sweep_rules after insert or delete on collection_items
  for each statement execute function sweep_rules_across_devices();
create trigger collection_items_changed_sweep_rules after update on collection_items for each row
  when (old.placed_by_admin <> new.placed_by_admin or old.user_id <> new.user_id
    or old.device_id is distinct from new.device_id or old.member_id is distinct from new.member_id)
  execute function sweep_rules_across_devices();
create trigger collections_sweep_rules after update on collections for each row
  when (old.user_id <> new.user_id) execute function sweep_rules_across_devices();
