-- Programs for devices that this platform has shipped, and codes that install them. See features/agent-release and
-- features/installation.

create table agent_releases (
  -- Of the bytes, which are stored as `program-<sha256>`.
  sha256 text primary key check (sha256 ~ '^[0-9a-f]{64}$'),
  -- The agent itself, or the small program that starts it and returns to the former version.
  program text not null check (program in ('agent', 'launch')),
  version text not null,
  file_size bigint not null,
  creation_date timestamptz not null default now()
);
create index agent_releases_by_version on agent_releases (program, version);

-- One for each device: a new code replaces the former one. A used code is removed.
create table installation_codes (
  device_id bigint primary key references devices (key) on delete cascade,
  -- An HMAC: the code is too short for a plain hash.
  code_hash bytea not null unique,
  -- The key that the code is exchanged for belongs to this person.
  user_id bigint not null references users (key) on delete cascade,
  expiration_date timestamptz not null
);
