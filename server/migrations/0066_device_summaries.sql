-- What a table of devices shows and is sorted by, one row for each device; see features/device/page. Each value has an
-- index, so the values are copies: what changes one of them notes the device, and a loop computes its row again.

create table device_summaries (
  device_id bigint primary key references devices (key) on delete cascade,
  -- Milliseconds since 1970. Of all online devices it is 2^53 - 1, so that contact alone writes nothing here.
  contact_ms bigint,
  -- The start of the newest clip.
  sound_ms bigint,
  -- When a clip was announced last, or sound came.
  arrival_ms bigint,
  -- Clips that began on the day that ends then, in the time zone of the device.
  clips_today integer not null default 0,
  day_end timestamptz,
  battery_percent double precision,
  disk_used_percent double precision,
  -- How far the clock of the device is ahead.
  clock_error_ms bigint,
  software_version text
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);
create index device_summaries_by_contact on device_summaries (contact_ms, device_id);
create index device_summaries_by_sound on device_summaries (sound_ms, device_id);
create index device_summaries_by_clips on device_summaries (clips_today, device_id);
create index device_summaries_by_battery on device_summaries (battery_percent, device_id);
create index device_summaries_by_disk on device_summaries (disk_used_percent, device_id);
create index device_summaries_by_clock on device_summaries (abs(clock_error_ms), device_id);
create index device_summaries_by_version on device_summaries (software_version collate "C", device_id);
create index device_summaries_by_day on device_summaries (day_end) where clips_today > 0;
create index devices_by_lower_name on devices (lower(device_name) collate "C", key);
create index collection_items_of_collection on collection_items (collection_id, device_id) where device_id is not null;

-- Every device has a summary.
create function add_device_summary() returns trigger language plpgsql as $$
begin
  insert into device_summaries (device_id) values (new.key);
  return null;
end $$;
create trigger devices_have_summaries after insert on devices for each row execute function add_device_summary();
insert into device_summaries (device_id) select key from devices;

-- Devices whose summaries are to be computed again. No reference and no unique key, so that nobody waits for another.
create table devices_to_summarise (
  key bigint generated always as identity primary key,
  device_id bigint not null,
  -- Set if a clip or its sound arrived.
  arrival_ms bigint
) with (autovacuum_vacuum_scale_factor = 0.02);
insert into devices_to_summarise (device_id) select key from devices;

-- Triggers, because nodes of the version before write clips, agents and reports too.
create function summarise_devices_of_rows() returns trigger language plpgsql as $$
begin
  insert into devices_to_summarise (device_id) select distinct device_id from touched;
  return null;
end $$;

create function summarise_devices_of_clips() returns trigger language plpgsql as $$
begin
  insert into devices_to_summarise (device_id, arrival_ms)
  select distinct device_id, (extract(epoch from now()) * 1000)::bigint from touched;
  return null;
end $$;
create trigger audio_clips_summarise_new after insert on audio_clips
  referencing new table as touched for each statement execute function summarise_devices_of_clips();
create trigger audio_clips_summarise_removed after delete on audio_clips
  referencing old table as touched for each statement execute function summarise_devices_of_rows();

create function summarise_device_of_changed_clip() returns trigger language plpgsql as $$
begin
  insert into devices_to_summarise (device_id, arrival_ms) values (new.device_id,
    case when new.audio_clip_status = 3 and old.audio_clip_status <> 3
      then (extract(epoch from now()) * 1000)::bigint end);
  if new.device_id <> old.device_id then
    insert into devices_to_summarise (device_id) values (old.device_id);
  end if;
  return null;
end $$;
create trigger audio_clips_summarise_changed after update on audio_clips for each row
  when ((old.device_id, old.start_ms) <> (new.device_id, new.start_ms)
    or new.audio_clip_status = 3 and old.audio_clip_status <> 3)
  execute function summarise_device_of_changed_clip();

create trigger device_health_summarise_new after insert on device_health
  referencing new table as touched for each statement execute function summarise_devices_of_rows();
create trigger device_health_summarise_changed after update on device_health
  referencing new table as touched for each statement execute function summarise_devices_of_rows();
create trigger online_devices_summarise_new after insert on online_devices
  referencing new table as touched for each statement execute function summarise_devices_of_rows();
create trigger online_devices_summarise_gone after delete on online_devices
  referencing old table as touched for each statement execute function summarise_devices_of_rows();
create trigger agents_summarise_new after insert on agents
  referencing new table as touched for each statement execute function summarise_devices_of_rows();
create trigger agents_summarise_gone after delete on agents
  referencing old table as touched for each statement execute function summarise_devices_of_rows();

create function summarise_device_of_row() returns trigger language plpgsql as $$
begin
  insert into devices_to_summarise (device_id) values (new.device_id);
  return null;
end $$;
create trigger agents_summarise_changed after update of version on agents for each row
  when (old.version is distinct from new.version) execute function summarise_device_of_row();

create function summarise_device() returns trigger language plpgsql as $$
begin
  insert into devices_to_summarise (device_id) values (new.key);
  return null;
end $$;
create trigger devices_summarise_zone after update of time_zone on devices for each row
  when (old.time_zone <> new.time_zone) execute function summarise_device();
