-- Events: work for agents, its states, and templates of it. See features/event/transitions.ts for the states.

create table event_types (
  key bigint primary key,
  event_type_name text not null,
  agent_type_id bigint not null references agent_types (key),
  detailed_description text,
  creation_date timestamptz not null default now(),
  created_by bigint
);
create unique index event_types_by_name on event_types (lower(event_type_name));
-- Keys up to 1,000 are the platform's own.
create sequence event_type_keys as bigint start with 1001;

create table events (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  agent_type_id bigint not null references agent_types (key),
  event_type_id bigint not null references event_types (key),
  server_event smallint not null default 0 check (server_event in (0, 1)),
  event_status smallint not null default 1 check (event_status between 1 and 7),
  priority bigint not null default 0,
  attempt_number integer not null default 0,
  max_attempts integer not null default 1 check (max_attempts >= 1),
  -- Seconds since 1970; 0: never.
  expiration_epoch bigint not null default 0,
  event_parameters text not null default '{}',
  tag_string text,
  tag_number bigint,
  -- Not to be taken before; a failed attempt waits a while.
  ready_date timestamptz not null default now(),
  -- Of whoever holds it, while it is held.
  agent_id bigint references agents (key) on delete set null,
  process_id bigint,
  take_id uuid,
  taken_date timestamptz,
  lease_end_date timestamptz,
  percent_complete double precision,
  result text,
  creation_date timestamptz not null default now(),
  created_by bigint,
  check (attempt_number <= max_attempts)
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Each serves one question, and holds only the rows it can be about: millions of ended events cost a take nothing.
create index events_to_take on events (device_id, agent_type_id, priority desc, key)
  where event_status = 1 and server_event = 0;
create index events_held on events (lease_end_date) where event_status in (2, 3);
create index events_held_by_agent on events (agent_id) where event_status in (2, 3);
create index events_expiring on events (expiration_epoch) where event_status in (1, 2, 3) and expiration_epoch > 0;
create unique index events_by_take on events (device_id, take_id) where take_id is not null;
create index events_of_device on events (device_id, creation_date desc, key desc);
create index events_by_creation on events (creation_date desc, key desc);

create table event_transitions (
  event_id bigint not null references events (key) on delete cascade,
  key bigint generated always as identity,
  transition_date timestamptz not null default clock_timestamp(),
  from_status smallint,
  to_status smallint not null,
  cause text not null,
  attempt_number integer not null,
  -- Whose credential did it; null when the platform did.
  user_id bigint,
  agent_id bigint,
  result text,
  primary key (event_id, key)
);

create table event_presets (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  event_preset_name text,
  device_id bigint references devices (key) on delete cascade,
  device_group_id bigint references collections (key) on delete cascade,
  agent_type_id bigint not null references agent_types (key),
  event_type_id bigint not null references event_types (key),
  event_parameters text not null default '{}',
  priority bigint not null default 0,
  max_attempts integer not null default 1,
  expiration_epoch bigint not null default 0,
  creation_date timestamptz not null default now(),
  check (num_nonnulls(device_id, device_group_id) = 1)
);
create index event_presets_by_device on event_presets (device_id) where device_id is not null;
create index event_presets_by_group on event_presets (device_group_id) where device_group_id is not null;

-- When a device last polled: a poll may name no agent, yet it is contact.
alter table devices add column last_poll_date timestamptz;
