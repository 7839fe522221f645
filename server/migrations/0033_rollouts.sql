-- Updates of many devices in stages. See features/rollout.

create table rollouts (
  key bigint generated always as identity primary key,
  -- In whose name the events are sent.
  user_id bigint not null references users (key) on delete cascade,
  sha256 text not null references agent_releases (sha256),
  state text not null check (state in ('running', 'stopped', 'done', 'takingBack', 'takenBack')),
  -- Why it was stopped.
  reason text,
  -- The percentage of the devices that each stage reaches; the first stage is always one device.
  stages integer[] not null,
  -- Counted from 0.
  stage integer not null default 0,
  most_failures integer not null,
  -- Failures that a person accepted by continuing.
  accepted_failures integer not null default 0,
  timeout_seconds integer not null,
  creation_date timestamptz not null default now(),
  last_modified_date timestamptz
);
create index rollouts_active on rollouts (key) where state in ('running', 'takingBack');
create index rollouts_of_user on rollouts (user_id);

create table rollout_devices (
  rollout_id bigint not null references rollouts (key) on delete cascade,
  device_id bigint not null references devices (key) on delete cascade,
  stage integer not null,
  state text not null default 'waiting' check (state in (
    'waiting', 'sent', 'done', 'failed', 'skipped', 'backSent', 'backDone', 'backFailed')),
  -- The release that the device had before; null: unknown to this platform.
  former_sha256 text references agent_releases (sha256),
  -- The event that was sent last; its row may have been removed.
  event_id bigint,
  sent_date timestamptz,
  reason text,
  primary key (rollout_id, device_id)
);
create index rollout_devices_of_device on rollout_devices (device_id);
