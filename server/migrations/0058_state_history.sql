-- History from which the states of devices are computed, kept for EARSHOT_STATE_DAYS; see features/state-history.
-- Contact is in online_times and online_devices, health in device_health, events in event_transitions, announcements and
-- sound in audio_clips and files.

create index online_times_by_end on online_times (until);

-- Spans in which some node ran: a device that had no contact outside of them was not silent.
create table platform_times (
  since timestamptz primary key,
  until timestamptz not null
);

-- Spans in which a device had another value of a setting than the one that people want; until is unset while it goes on.
-- No foreign key, which would lock the device after its settings; the trigger below removes the rows of a device.
create table setting_differences (
  device_id bigint not null,
  setting_name text not null,
  since timestamptz not null,
  until timestamptz,
  primary key (device_id, setting_name, since)
);
create index setting_differences_by_end on setting_differences (until);

-- A trigger, because nodes of the version before change settings too.
create function note_setting_difference() returns trigger language plpgsql as $$
declare
  was_different boolean := tg_op <> 'INSERT' and old.wanted_value is not null
    and old.wanted_value is distinct from old.reported_value;
  is_different boolean := tg_op <> 'DELETE' and new.wanted_value is not null
    and new.wanted_value is distinct from new.reported_value;
begin
  if was_different and not is_different then
    update setting_differences set until = now()
    where device_id = old.device_id and setting_name = old.setting_name and until is null;
  elsif is_different and not was_different then
    insert into setting_differences (device_id, setting_name, since)
    values (new.device_id, new.setting_name, now())
    on conflict (device_id, setting_name, since) do update set until = null;
  end if;
  return null;
end $$;
create trigger device_settings_note_difference after insert or delete or update of wanted_value, reported_value
  on device_settings for each row execute function note_setting_difference();

insert into setting_differences (device_id, setting_name, since)
select device_id, setting_name, coalesce(last_modified_date, creation_date) from device_settings
where wanted_value is not null and wanted_value is distinct from reported_value;

create function remove_history_of_device() returns trigger language plpgsql as $$
begin
  delete from setting_differences where device_id = old.key;
  delete from online_times where device_id = old.key;
  return null;
end $$;
create trigger devices_remove_history after delete on devices
  for each row execute function remove_history_of_device();
