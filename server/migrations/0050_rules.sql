-- What people want to be found in clips. See features/rule.

create table rules (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  version integer not null default 1,
  rule_name text not null,
  rule_description text,
  is_enabled boolean not null,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  -- Where, when, how often, what is done: as checked by features/rule/check.
  definition jsonb not null,
  muted_until timestamptz,
  -- Of the present version.
  change_date timestamptz not null default clock_timestamp(),
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index rules_of_user on rules (user_id, key desc);

create table rule_versions (
  rule_id bigint not null references rules (key) on delete cascade,
  version integer not null,
  rule_name text not null,
  rule_description text,
  is_enabled boolean not null,
  severity text not null,
  definition jsonb not null,
  changed_by bigint,
  change_date timestamptz not null,
  primary key (rule_id, version)
);

-- The people of the action `notify` of the present version: they may see its alerts.
create table rule_recipients (
  rule_id bigint not null references rules (key) on delete cascade,
  user_id bigint not null references users (key) on delete cascade,
  primary key (user_id, rule_id)
);
create index rule_recipients_of_rule on rule_recipients (rule_id);

-- A rule that names a merged device means the one that it went into.
create table merged_devices (
  device_id bigint primary key,
  into_id bigint not null references devices (key) on delete cascade
);
create index merged_devices_into on merged_devices (into_id);
