-- People, how they sign in, and what lets a program act for them.

create table installation (
  only_row boolean primary key default true check (only_row),
  -- Encrypted under the installation's secret key: a node with another key finds out at its start.
  secret_key_check bytea not null,
  creation_date timestamptz not null default now()
);

create table users (
  key bigint generated always as identity primary key,
  -- In lower case; two spellings of one address are one person.
  email text not null unique,
  display_name text,
  role text not null check (role in ('admin', 'member')),
  disabled boolean not null default false,
  password_hash text not null,
  postback_secret bytea not null,
  creation_date timestamptz not null default now(),
  last_sign_in_date timestamptz
);

create table setup_tokens (
  token_hash bytea primary key,
  expiration_date timestamptz not null
);

create table password_resets (
  user_id bigint primary key references users (key) on delete cascade,
  token_hash bytea not null unique,
  expiration_date timestamptz not null
);

create table sessions (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  token_hash bytea not null unique,
  address text,
  user_agent text,
  creation_date timestamptz not null default now(),
  last_access_date timestamptz not null default now(),
  expiration_date timestamptz not null
);
create index sessions_by_user on sessions (user_id);
create index sessions_by_expiration on sessions (expiration_date);

-- Failed sign-ins, by person, address and pair of both. The subject is a hash.
create table sign_in_attempts (
  subject text primary key,
  failures integer not null,
  last_attempt_date timestamptz not null default now(),
  blocked_until timestamptz
);
create index sign_in_attempts_by_date on sign_in_attempts (last_attempt_date);

-- Nodes that listen for changes of credentials; see platform/cluster.
create table nodes (
  node_id text primary key,
  heard_date timestamptz not null
);
