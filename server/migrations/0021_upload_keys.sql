-- Upload keys: one secret text, for recorders that have one field for a key.
create table upload_keys (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  description text,
  transcribe boolean not null,
  -- SHA-256; the secrets are random and long.
  secret_hash bytea not null unique,
  former_secret_hash bytea unique,
  former_secret_end_date timestamptz,
  last_access_date timestamptz,
  creation_date timestamptz not null default now()
);
create index upload_keys_of_user on upload_keys (user_id);

-- The devices that a key created: it may upload for these only, while its owner owns them.
create table upload_key_devices (
  upload_key_id bigint not null references upload_keys (key) on delete cascade,
  -- What the recorder calls itself: the protocol, system and site.
  source text not null,
  device_id bigint not null references devices (key) on delete cascade,
  primary key (upload_key_id, source)
);
create index upload_key_devices_of_device on upload_key_devices (device_id);

-- What a key used on a day (UTC), to limit it.
create table upload_key_use (
  upload_key_id bigint not null references upload_keys (key) on delete cascade,
  day date not null,
  received_bytes bigint not null default 0,
  transcribed_ms bigint not null default 0,
  primary key (upload_key_id, day)
);
