-- People who share devices and watch together, with a weekly rota. See features/team; rights through a team are in access.ts.

create table teams (
  key bigint generated always as identity primary key,
  team_name text not null,
  team_description text,
  -- Of its rota; unset: UTC.
  time_zone text,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);

create table team_people (
  team_id bigint not null references teams (key) on delete cascade,
  user_id bigint not null references users (key) on delete cascade,
  primary key (team_id, user_id)
);
create index team_people_of_user on team_people (user_id, team_id);

-- Who is on duty when: gone with the person.
create table team_duties (
  key bigint generated always as identity primary key,
  team_id bigint not null,
  user_id bigint not null,
  duty_time jsonb not null,
  foreign key (team_id, user_id) references team_people (team_id, user_id) on delete cascade
);
create index team_duties_of_team on team_duties (team_id, user_id);

create table collection_teams (
  collection_id bigint not null references collections (key) on delete cascade,
  team_id bigint not null references teams (key) on delete cascade,
  creation_date timestamptz not null default now(),
  created_by bigint,
  primary key (collection_id, team_id)
);
create index collection_teams_of_team on collection_teams (team_id, collection_id);

-- The teams of the action `notify` of the present version: their people may see its alerts.
create table rule_teams (
  rule_id bigint not null references rules (key) on delete cascade,
  team_id bigint not null references teams (key) on delete cascade,
  primary key (team_id, rule_id)
);
create index rule_teams_of_rule on rule_teams (rule_id);

-- With which team a person was told.
alter table alert_acts add column team_id bigint references teams (key) on delete set null;
create index alert_acts_of_team on alert_acts (team_id) where team_id is not null;

-- What the owner of a rule with `acrossDevices` may read changes with teams as with items of collections.
create trigger team_people_sweep_rules after insert or delete on team_people
  for each statement execute function sweep_rules_across_devices();
create trigger collection_teams_sweep_rules after insert or delete on collection_teams
  for each statement execute function sweep_rules_across_devices();
