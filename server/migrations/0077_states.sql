-- States of devices as rules: what is to be looked at and when, spans as matches, and the rules that are built in. See
-- features/rule/state and docs/decisions/0061.

-- Unset: a rule that is built in.
alter table rules alter column user_id drop not null;
create index rules_of_state on rules ((definition #>> '{when,state}')) where definition #>> '{when,state}' is not null;

-- Unset: a span in which a device was in a state. Its end is unset while the state holds.
alter table rule_matches alter column audio_clip_id drop not null;
create index rule_matches_open_states on rule_matches (device_id)
  where audio_clip_id is null and end_ms is null and not is_withdrawn;
create index rule_matches_of_states on rule_matches (rule_id, device_id, start_ms) where audio_clip_id is null;

-- Nodes of the version before take a rule about a state for one that any sound satisfies.
create function refuse_clips_of_states() returns trigger language plpgsql as $$
begin
  if exists (select 1 from rules r where r.key = new.rule_id and r.definition #>> '{when,state}' is not null) then
    return null;
  end if;
  return new;
end $$;
create trigger rule_matches_refuse_clips before insert on rule_matches for each row
  when (new.audio_clip_id is not null) execute function refuse_clips_of_states();

alter table alerts drop constraint alerts_close_reason_check;
alter table alerts add constraint alerts_close_reason_check check (close_reason in ('person', 'withdrawn', 'ended'));
alter table alerts drop constraint alerts_silence_check;
alter table alerts add constraint alerts_silence_check
  check (silence in ('muted', 'quieted', 'limit', 'tooOld', 'restored', 'flapping'));

-- Devices whose states are to be looked at from a time on, by what is measured. Written by triggers, in the transaction of each
-- change, because nodes of the version before measure too; and by whoever judges, for the next time.
create table states_to_judge (
  key bigint generated always as identity primary key,
  -- Unset: all. No foreign key: contact and reports must not wait for locks of the device.
  device_id bigint,
  -- contact, health, events, uploads, settings; unset: all.
  source text,
  due_date timestamptz not null default now(),
  -- It waited when the backup was made that was restored: nobody is told.
  is_restored boolean not null default false
) with (autovacuum_vacuum_scale_factor = 0.02);
create index states_to_judge_by_date on states_to_judge (due_date);
create index states_to_judge_of_device on states_to_judge (device_id, source);

-- Times in which the upload of a clip had failed; until is unset while it goes on. No foreign keys, as for setting_differences.
create table upload_failures (
  audio_clip_id bigint not null,
  device_id bigint not null,
  since timestamptz not null,
  until timestamptz,
  primary key (audio_clip_id, since)
);
create index upload_failures_of_device on upload_failures (device_id, since);
create index upload_failures_by_end on upload_failures (until);

create function note_upload_failure() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' and new.audio_clip_status = 4 then
    insert into upload_failures (audio_clip_id, device_id, since) values (new.key, new.device_id, now())
    on conflict (audio_clip_id, since) do update set until = null;
  else
    update upload_failures set until = now() where audio_clip_id = old.key and until is null;
  end if;
  insert into states_to_judge (device_id, source)
  values (case when tg_op = 'DELETE' then old.device_id else new.device_id end, 'uploads');
  return null;
end $$;
create trigger audio_clips_note_upload_failure after update of audio_clip_status on audio_clips for each row
  when ((old.audio_clip_status = 4) <> (new.audio_clip_status = 4)) execute function note_upload_failure();
create trigger audio_clips_end_upload_failure after delete on audio_clips for each row
  when (old.audio_clip_status = 4) execute function note_upload_failure();

-- Of the longest time that a rule can ask for.
insert into upload_failures (audio_clip_id, device_id, since)
select c.key, c.device_id, coalesce(c.last_modified_date, c.creation_date)
from devices d cross join lateral (
  select * from audio_clips c
  where c.device_id = d.key and c.start_ms > extract(epoch from now() - interval '7 days')::bigint * 1000) c
where c.audio_clip_status = 4;

create function remove_upload_failures_of_device() returns trigger language plpgsql as $$
begin
  delete from upload_failures where device_id = old.key;
  return null;
end $$;
create trigger devices_remove_upload_failures after delete on devices
  for each row execute function remove_upload_failures_of_device();

create function judge_contact_of_devices() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id, source) select device_id, 'contact' from touched;
  return null;
end $$;
create trigger online_devices_judge_new after insert on online_devices
  referencing new table as touched for each statement execute function judge_contact_of_devices();
create trigger online_devices_judge_gone after delete on online_devices
  referencing old table as touched for each statement execute function judge_contact_of_devices();

-- A device that never had contact may have clips all the same.
create function judge_contact_of_clips() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id, source)
  select distinct t.device_id, 'contact' from touched t
    join rule_matches m on m.device_id = t.device_id and m.audio_clip_id is null and m.end_ms is null and not m.is_withdrawn
    join rules r on r.key = m.rule_id and r.definition #>> '{when,state}' = 'neverConnected';
  return null;
end $$;
create trigger audio_clips_judge_contact after insert on audio_clips
  referencing new table as touched for each statement execute function judge_contact_of_clips();

-- Only reports that can begin a state, or end one: most devices report all the time that all is well.
create function judge_health_of_devices() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id, source)
  select distinct t.device_id, 'health' from touched t
  where t.battery_percent < (
      select max((r.definition #>> '{when,belowPercent}')::double precision) from rules r
      where r.is_enabled and r.definition #>> '{when,state}' = 'lowBattery')
    or t.disk_used_percent > (
      select min((r.definition #>> '{when,abovePercent}')::double precision) from rules r
      where r.is_enabled and r.definition #>> '{when,state}' = 'fullDisk')
    or exists (
      select 1 from rule_matches m
      where m.device_id = t.device_id and m.audio_clip_id is null and m.end_ms is null and not m.is_withdrawn);
  return null;
end $$;
create trigger device_health_judge_new after insert on device_health
  referencing new table as touched for each statement execute function judge_health_of_devices();
create trigger device_health_judge_changed after update on device_health
  referencing new table as touched for each statement execute function judge_health_of_devices();

create function judge_state_of_row() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id, source) values (new.device_id, nullif(tg_argv[0], ''));
  return null;
end $$;
create trigger events_judge_failed after update of event_status on events for each row
  when (new.event_status in (5, 6) and old.event_status not in (5, 6)) execute function judge_state_of_row('events');
create trigger setting_differences_judge after insert or update on setting_differences
  for each row execute function judge_state_of_row('settings');

create function judge_states_of_device() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id) values (new.key);
  return null;
end $$;
create trigger devices_judge_states_new after insert on devices
  for each row execute function judge_states_of_device();
create trigger devices_judge_states after update of time_zone, user_id on devices for each row
  when (old.time_zone is distinct from new.time_zone or old.user_id <> new.user_id)
  execute function judge_states_of_device();

-- Rules, and what their owners may read.
create function judge_all_states() returns trigger language plpgsql as $$
begin
  insert into states_to_judge (device_id) values (null);
  return null;
end $$;
create trigger rules_judge_states_new after insert on rules for each row
  when (new.is_enabled and new.definition #>> '{when,state}' is not null) execute function judge_all_states();
create trigger rules_judge_states after update on rules for each row
  when (new.is_enabled and new.version <> old.version and new.definition #>> '{when,state}' is not null)
  execute function judge_all_states();
create trigger users_judge_states after update of role on users for each row
  when (old.role <> new.role) execute function judge_all_states();

create function judge_states_of_members() returns trigger language plpgsql as $$
begin
  if exists (select 1 from rules r where r.is_enabled and r.user_id is not null and r.definition #>> '{when,state}' is not null) then
    insert into states_to_judge (device_id) values (null);
  end if;
  return null;
end $$;
-- A device that is placed somewhere else, or the devices that a person may read from now on.
create function judge_states_of_item() returns trigger language plpgsql as $$
declare
  item collection_items;
begin
  if tg_op = 'DELETE' then item := old; else item := new; end if;
  if exists (select 1 from rules r where r.is_enabled and r.user_id is not null and r.definition #>> '{when,state}' is not null) then
    insert into states_to_judge (device_id)
    select item.device_id where item.device_id is not null
    union select i.device_id from collection_items i
    where item.member_id is not null and i.collection_id = item.collection_id and i.device_id is not null;
  end if;
  return null;
end $$;
create trigger collection_items_judge_states after insert or update or delete on collection_items
  for each row execute function judge_states_of_item();
create trigger collections_judge_states after update of user_id on collections
  for each statement execute function judge_states_of_members();
create trigger team_people_judge_states after insert or delete on team_people
  for each statement execute function judge_states_of_members();
create trigger collection_teams_judge_states after insert or delete on collection_teams
  for each statement execute function judge_states_of_members();

-- The alerts of the overview as rules, with its limits.
with built_in as (
  insert into rules (rule_name, rule_description, is_enabled, severity, definition)
  select name, description, true, severity, jsonb_build_object('when', condition, 'activeTimes', '[]'::jsonb, 'forSeconds', 0,
    'keepOpenSeconds', 0, 'groupSeconds', 300, 'mostPerHour', 10, 'quietedBy', '[]'::jsonb, 'actions', '[]'::jsonb)
  from (values
    (1, 'Device offline', 'Devices that lose contact together are one alert.', 'warning',
      '{"state": "offline", "afterMinutes": 15}'::jsonb),
    (2, 'Device never connected', 'A device that was added and had no contact and no clips.', 'info',
      '{"state": "neverConnected", "afterMinutes": 1440}'),
    (3, 'Low battery', 'As the device reported it last.', 'warning', '{"state": "lowBattery", "belowPercent": 20}'),
    (4, 'Full disk', 'As the device reported it last.', 'warning', '{"state": "fullDisk", "abovePercent": 90}'),
    (5, 'Failed events', 'Events that failed or timed out.', 'warning',
      '{"state": "failedEvents", "failureCount": 1, "withinHours": 24}'),
    (6, 'Failed uploads', 'Clips that did not arrive.', 'warning',
      '{"state": "failedUploads", "failureCount": 1, "withinHours": 24}'),
    (7, 'Settings differ', 'Wanted values that the device has not reported.', 'info',
      '{"state": "differentSettings", "afterMinutes": 60}')) b (place, name, description, severity, condition)
  order by place returning *)
insert into rule_versions (rule_id, version, rule_name, rule_description, is_enabled, severity, definition, change_date)
select key, version, rule_name, rule_description, is_enabled, severity, definition, change_date from built_in;

-- What people had acknowledged of the overview: alerts about these devices begin acknowledged, if their states began before.
create table acknowledged_states (
  rule_id bigint not null references rules (key) on delete cascade,
  device_id bigint not null,
  acknowledged_date timestamptz not null,
  primary key (rule_id, device_id)
);
insert into acknowledged_states (rule_id, device_id, acknowledged_date)
select r.key, a.device_id, max(a.acknowledged_date)
from acknowledged_alerts a join rules r on r.user_id is null
  and r.definition #>> '{when,state}' = case a.alert when 'darkDevices' then 'offline' else a.alert end
where a.acknowledged_date > now() - case when a.alert in ('lowBattery', 'fullDisk') then interval '1 day' else interval '30 days' end
  and (a.alert <> 'failedEvents' or not exists (
    select 1 from events e where e.device_id = a.device_id and e.event_status in (5, 6)
      and e.creation_date > now() - interval '1 day' and not exists (
        select 1 from acknowledged_alerts o where o.alert = 'failedEvents' and o.record_key = e.key)))
  and (a.alert <> 'failedUploads' or not exists (
    select 1 from upload_failures f where f.device_id = a.device_id and f.until is null
      and f.since > now() - interval '1 day' and not exists (
        select 1 from acknowledged_alerts o where o.alert = 'failedUploads' and o.record_key = f.audio_clip_id)))
group by r.key, a.device_id;

-- A restored installation tells nobody of the states that it finds first.
alter function hold_restored_matches() rename to hold_restored_before_states;
create function hold_restored_matches() returns void language sql as $$
  select hold_restored_before_states();
  update states_to_judge set is_restored = true;
  insert into states_to_judge (device_id, is_restored) values (null, true);
$$;
