-- Settings of devices as people want them and as devices report them, and devices that are ready. See
-- features/device-setting and features/device-ready.

create table device_settings (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  setting_name text not null,
  wanted_value text,
  reported_value text,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint,
  unique (device_id, setting_name),
  check (wanted_value is not null or reported_value is not null)
);

create table device_readiness (
  device_id bigint primary key references devices (key) on delete cascade,
  ready_date timestamptz,
  version text,
  event_preset_id bigint references event_presets (key) on delete set null
);
create index device_readiness_by_preset on device_readiness (event_preset_id) where event_preset_id is not null;
