-- Devices whose state the MQTT broker of the operator gives out. See features/publication.
create table published_devices (
  device_id bigint primary key references devices (key) on delete cascade,
  -- Who owned the device then, or was an admin: the device is published as long as that is so.
  published_by bigint not null references users (key) on delete cascade,
  published_date timestamptz not null default now()
);
create index published_devices_of_user on published_devices (published_by);

-- The node that publishes, one at a time.
create table publication_lease (
  is_only boolean primary key default true check (is_only),
  holder uuid,
  held_until timestamptz
);
insert into publication_lease default values;
