-- Channels, and what was sent to them. See features/channel. No row has a word of a clip: texts are read from the clip when
-- a message is sent.

create table channels (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  channel_name text not null,
  kind text not null,
  -- JSON, encrypted and bound to the key. Unset only within the transaction that creates the row.
  sealed_settings bytea,
  is_enabled boolean not null default true,
  -- When the person at an outside address confirmed it.
  confirmed_date timestamptz,
  -- Failed attempts since the last one that succeeded; the pause before the next one; since when the owner knows.
  failures integer not null default 0,
  failing_since timestamptz,
  paused_until timestamptz,
  last_fault text,
  last_delivered_date timestamptz,
  -- The worker that sends, one at a time; its lease is renewed with every attempt.
  worker_id uuid,
  worker_until timestamptz,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index channels_of_user on channels (user_id, key);

create table deliveries (
  key bigint generated always as identity primary key,
  message_id uuid not null default gen_random_uuid(),
  channel_id bigint not null references channels (key) on delete cascade,
  alert_id bigint references alerts (key) on delete cascade,
  rule_id bigint references rules (key) on delete cascade,
  kind text not null check (kind in ('alert', 'resolved', 'limit', 'digest', 'test')),
  severity text not null default 'info' check (severity in ('info', 'warning', 'critical')),
  includes_words boolean not null default false,
  -- The digest in which it is counted.
  digest_id bigint references deliveries (key) on delete cascade,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed', 'dropped', 'digested')),
  attempts integer not null default 0,
  next_attempt_date timestamptz default clock_timestamp(),
  last_status integer,
  reason text,
  end_date timestamptz,
  creation_date timestamptz not null default clock_timestamp()
);
create index deliveries_waiting on deliveries (channel_id, next_attempt_date) where state = 'waiting';
create index deliveries_of_channel on deliveries (channel_id, key desc);
create index deliveries_of_alert on deliveries (alert_id, channel_id, key) where alert_id is not null;
create index deliveries_of_rule on deliveries (rule_id) where rule_id is not null;
create index deliveries_of_digest on deliveries (digest_id) where digest_id is not null;
create index deliveries_delivered on deliveries (end_date, channel_id) where state = 'delivered';
create index deliveries_by_date on deliveries (creation_date);

-- Devices that messages to shared channels and outside addresses may name.
create table disclosed_devices (
  device_id bigint primary key references devices (key) on delete cascade,
  disclosed_by bigint,
  disclosed_date timestamptz not null default now()
);

-- A channel that fails is told in the bell.
alter table bell_entries drop constraint bell_entries_kind_check;
alter table bell_entries add constraint bell_entries_kind_check
  check (kind in ('alert', 'limit', 'tooOld', 'refused', 'channelFailing'));

alter table alert_acts add column channel_id bigint references channels (key) on delete cascade;
create index alert_acts_of_channel on alert_acts (channel_id) where channel_id is not null;

-- A restored installation sends nothing that waited when its backup was made.
create or replace function hold_restored_matches() returns void language sql as $$
  update clips_to_judge set is_restored = true;
  update rule_sweeps set is_restored = true;
  delete from alert_upload_requests;
  update deliveries set state = 'dropped', reason = 'The installation was restored from a backup.', next_attempt_date = null,
    end_date = clock_timestamp() where state = 'waiting';
  update channels set worker_id = null, worker_until = null;
$$;
