-- How people are told: their own channels for each severity, a digest, and who is told when nobody acknowledges an alert. See
-- features/bell, features/channel/delivery and features/alert/escalate.

-- `{ at, timeZone, below }`; unset: no digest.
alter table bell_manners add column digest jsonb;

-- The channels through which a person is told of alerts of a severity: the person's own.
create table bell_channels (
  user_id bigint not null references users (key) on delete cascade,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  channel_id bigint not null references channels (key) on delete cascade,
  primary key (user_id, severity, channel_id)
);
create index bell_channels_of_channel on bell_channels (channel_id);

alter table deliveries
  -- To the owner of the channel, who chose it for the severity; else a rule names the channel.
  add column is_personal boolean not null default false,
  -- For how long nobody had acknowledged the alert; unset: told at first.
  add column waited_seconds integer;

-- After this time without acknowledgement the next people are told; unset: nobody.
alter table teams add column escalate_seconds integer check (escalate_seconds between 60 and 86400);

-- Alerts that a team was told of and that nobody has acknowledged. A row goes with the last step, or when the alert is
-- acknowledged or closed.
create table alert_escalations (
  alert_id bigint not null references alerts (key) on delete cascade,
  team_id bigint not null references teams (key) on delete cascade,
  -- Of the action in the rule, from 0.
  action_number smallint not null,
  includes_words boolean not null,
  -- The step that is next.
  step text not null default 'nextDuty' check (step in ('nextDuty', 'team', 'admins')),
  due_date timestamptz not null,
  primary key (alert_id, team_id)
);
create index alert_escalations_due on alert_escalations (due_date);
create index alert_escalations_of_team on alert_escalations (team_id);

-- The step in which a person was told; unset: at first.
alter table alert_acts add column escalation text check (escalation in ('nextDuty', 'team', 'admins'));

-- A restored installation tells nobody more of the alerts of its backup.
alter function hold_restored_matches() rename to hold_restored_before_escalations;
create function hold_restored_matches() returns void language sql as $$
  select hold_restored_before_escalations();
  delete from alert_escalations;
$$;
