-- Event presets that buttons over MQTT run on a published device. See features/publication/command.
create table published_commands (
  device_id bigint not null references published_devices (device_id) on delete cascade,
  event_preset_id bigint not null references event_presets (key) on delete cascade,
  -- It counts only while this person publishes the device.
  named_by bigint not null references users (key) on delete cascade,
  -- The SHA-256 of type and parameters that an admin allowed, and who it was.
  allowed_hash text,
  allowed_by bigint,
  last_press_date timestamptz,
  last_event_id bigint,
  primary key (device_id, event_preset_id)
);
create index published_commands_of_preset on published_commands (event_preset_id);
create index published_commands_of_person on published_commands (named_by);
