-- Devices, the keys and agents on them, and the files that belong to them.

create table devices (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete restrict,
  device_name text not null,
  device_serial text not null unique,
  device_description text,
  time_zone text not null default 'UTC',
  retention_days integer,
  auto_caption boolean not null default true,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index devices_by_user on devices (user_id, creation_date desc, key desc);
create index devices_by_name on devices (device_name);
create index devices_by_creation on devices (creation_date desc, key desc);

create table api_keys (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  -- Set for a device key, which may act for this device only.
  device_id bigint references devices (key) on delete cascade,
  description text,
  access_key text not null unique,
  secret_key bytea not null,
  last_access_date timestamptz,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index api_keys_by_user on api_keys (user_id);
create index api_keys_by_device on api_keys (device_id) where device_id is not null;

-- The nonces of signed requests, remembered until their timestamp is too old to be accepted anyway.
create table request_nonces (
  api_key_id bigint not null references api_keys (key) on delete cascade,
  nonce uuid not null,
  expiration_date timestamptz not null,
  primary key (api_key_id, nonce)
);
create index request_nonces_by_expiration on request_nonces (expiration_date);

create table agent_types (
  key bigint primary key,
  agent_type_name text not null,
  detailed_description text not null,
  creation_date timestamptz not null default now()
);
create unique index agent_types_by_name on agent_types (lower(agent_type_name));

create table agents (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  agent_type_id bigint not null references agent_types (key),
  agent_index bigint not null default 0,
  current_event_id bigint,
  process_id bigint,
  version text,
  agent_name text,
  agent_description text,
  recent_output text,
  last_heard_from_date timestamptz,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint,
  unique (device_id, agent_type_id, agent_index)
);
-- No index on the time last heard from: it changes with every contact, and would make each one
-- write every index of the row. Agents are few for a device.

create table files (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete restrict,
  device_id bigint references devices (key) on delete set null,
  filename text not null,
  file_size bigint not null,
  sha256_hash text,
  content_type text not null,
  file_status integer not null default 0 check (file_status in (0, 1)),
  creation_date timestamptz not null default now()
);
create index files_by_user on files (user_id);
create index files_by_device on files (device_id);
