-- What people are told of once, what was done then, and the bell. See features/alert and features/bell. No row has a word of
-- a clip: texts are read from the clip when they are shown.

create table alerts (
  key bigint generated always as identity primary key,
  rule_id bigint not null references rules (key) on delete cascade,
  rule_version integer not null,
  -- Unset: the rule counts across devices.
  device_id bigint references devices (key) on delete cascade,
  severity text not null check (severity in ('info', 'warning', 'critical')),
  -- The starts of its first and its last match.
  first_ms bigint not null,
  last_ms bigint not null,
  state text not null default 'open' check (state in ('open', 'acknowledged', 'closed')),
  state_date timestamptz not null default clock_timestamp(),
  state_by bigint,
  close_reason text check (close_reason in ('person', 'withdrawn')),
  assignee_id bigint references users (key) on delete set null,
  -- Why nobody was told and no device got work; unset with told_date: people were told.
  silence text check (silence in ('muted', 'quieted', 'limit', 'tooOld', 'restored')),
  told_date timestamptz,
  -- Whether to act was decided; sound that is too old decides nothing, because younger sound may follow.
  is_decided boolean not null default false,
  creation_date timestamptz not null default clock_timestamp()
);
create index alerts_of_rule on alerts (rule_id, first_ms desc, key desc);
create index alerts_of_device on alerts (device_id, first_ms desc, key desc) where device_id is not null;
create index alerts_not_closed on alerts (rule_id, device_id) where state <> 'closed';
create index alerts_told on alerts (rule_id, told_date) where told_date is not null;
create index alerts_limited on alerts (rule_id, creation_date) where silence = 'limit';
create index alerts_of_assignee on alerts (assignee_id) where assignee_id is not null;
create index alerts_by_date on alerts (creation_date);

create table alert_matches (
  match_id bigint not null references rule_matches (key) on delete cascade,
  alert_id bigint not null references alerts (key) on delete cascade,
  -- It was withdrawn or re-dated and is in another alert now.
  has_left boolean not null default false,
  primary key (match_id, alert_id)
);
create unique index alert_matches_present on alert_matches (match_id) where not has_left;
create index alert_matches_of_alert on alert_matches (alert_id);

-- What was done once for an alert, in the transaction that did it.
create table alert_acts (
  key bigint generated always as identity primary key,
  alert_id bigint not null references alerts (key) on delete cascade,
  -- Of the action in the rule, from 0.
  action_number smallint not null,
  action text not null check (action in ('notify', 'runPreset', 'requestUpload')),
  user_id bigint references users (key) on delete cascade,
  device_id bigint references devices (key) on delete cascade,
  event_preset_id bigint,
  event_id bigint,
  -- Why it was not done; unset: it was.
  refusal text,
  act_date timestamptz not null default clock_timestamp()
);
create index alert_acts_of_alert on alert_acts (alert_id, key);
create index alert_acts_of_user on alert_acts (user_id) where user_id is not null;
create index alert_acts_of_device on alert_acts (device_id) where device_id is not null;

create table alert_notes (
  key bigint generated always as identity primary key,
  alert_id bigint not null references alerts (key) on delete cascade,
  user_id bigint not null references users (key) on delete cascade,
  note text not null,
  creation_date timestamptz not null default now()
);
create index alert_notes_of_alert on alert_notes (alert_id, key);
create index alert_notes_of_user on alert_notes (user_id);

-- Stretches of time whose clips an alert asked for, for clips that are announced later.
create table alert_upload_requests (
  key bigint generated always as identity primary key,
  alert_id bigint not null references alerts (key) on delete cascade,
  action_number smallint not null,
  device_id bigint not null references devices (key) on delete cascade,
  from_ms bigint not null,
  to_ms bigint not null,
  until timestamptz not null
);
create index alert_upload_requests_of_device on alert_upload_requests (device_id, to_ms);
create index alert_upload_requests_of_alert on alert_upload_requests (alert_id);
create index alert_upload_requests_by_end on alert_upload_requests (until);

-- Clips whose upload a rule asked for: they cause no further work.
create table rule_uploads (
  audio_clip_id bigint primary key references audio_clips (key) on delete cascade,
  rule_id bigint not null
);

-- What an admin allowed: this content, for this version of the rule.
create table rule_allowances (
  rule_id bigint not null references rules (key) on delete cascade,
  action_number smallint not null,
  version integer not null,
  content_hash text not null,
  allowed_by bigint,
  allowed_date timestamptz not null default now(),
  primary key (rule_id, action_number)
);

create table bell_entries (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  kind text not null check (kind in ('alert', 'limit', 'tooOld', 'refused')),
  rule_id bigint references rules (key) on delete cascade,
  alert_id bigint references alerts (key) on delete cascade,
  entry_count integer,
  reason text,
  is_quiet boolean not null default false,
  creation_date timestamptz not null default clock_timestamp()
);
create index bell_entries_of_user on bell_entries (user_id, key desc);
create index bell_entries_of_rule on bell_entries (rule_id) where rule_id is not null;
create index bell_entries_of_alert on bell_entries (alert_id) where alert_id is not null;
create index bell_entries_by_date on bell_entries (creation_date);
create index bell_entries_too_old on bell_entries (user_id, key desc) where kind = 'tooOld';
create index bell_entries_refused on bell_entries (rule_id, user_id) where kind = 'refused';

-- When and by whose rules a person is told, and up to where the person has read.
create table bell_manners (
  user_id bigint primary key references users (key) on delete cascade,
  quiet_times jsonb not null default '[]',
  refuses_others boolean not null default false,
  read_to bigint not null default 0
);

-- What waited when the backup was made that was restored: it is judged and listed, and nobody is told.
alter table clips_to_judge add column is_restored boolean not null default false;
alter table rule_sweeps add column is_restored boolean not null default false;
create function hold_restored_matches() returns void language sql as $$
  update clips_to_judge set is_restored = true;
  update rule_sweeps set is_restored = true;
  delete from alert_upload_requests;
$$;
