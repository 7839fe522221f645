-- Health reports of devices, and where devices are. See features/device-health and features/device-position.

create table device_health (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  health_date timestamptz not null,
  -- As sent.
  health_json text not null,
  -- Read from it; null where it has no such value.
  battery_percent double precision,
  battery_voltage double precision,
  battery_status text,
  cpu_temp double precision,
  gpu_temp double precision,
  cpu_percent double precision,
  load_average double precision,
  disk_used_percent double precision,
  disk_free_bytes double precision,
  signal_dbm double precision,
  link_quality text,
  access_point_name text,
  latitude double precision,
  longitude double precision,
  accuracy double precision,
  creation_date timestamptz not null default now()
);
create index device_health_of_device on device_health (device_id, health_date desc, key desc);

create table device_positions (
  device_id bigint primary key references devices (key) on delete cascade,
  latitude double precision not null,
  longitude double precision not null,
  accuracy double precision,
  source text not null,
  position_date timestamptz not null
);
