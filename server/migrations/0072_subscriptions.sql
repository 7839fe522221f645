-- Subscriptions: channels that get the changes that a person chose, without a rule. See features/subscription.

-- What a change made of its record: a device went online or offline, an event ended. Null: nothing more.
alter table changes add column outcome text;

create table subscriptions (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  channel_id bigint not null references channels (key) on delete cascade,
  -- Names of changes.
  changes text[] not null,
  -- Devices and collections; null: every device that the person may read.
  scope jsonb,
  includes_words boolean not null default false,
  -- Up to where the log of changes was read; null: changes were missed, which is told next.
  xid xid8,
  change_key bigint,
  creation_date timestamptz not null default now(),
  created_by bigint,
  check ((xid is null) = (change_key is null))
);
create index subscriptions_of_user on subscriptions (user_id, key);
create index subscriptions_of_channel on subscriptions (channel_id);

-- The node that follows the log for all subscriptions, one at a time.
create table subscription_lease (
  is_only boolean primary key default true check (is_only),
  holder uuid,
  held_until timestamptz
);
insert into subscription_lease default values;

-- A message with the changes of a subscription after one place up to another; without places: that some were missed. Their
-- records are read when it is sent.
alter table deliveries
  add column subscription_id bigint references subscriptions (key) on delete cascade,
  add column after_xid xid8,
  add column after_key bigint,
  add column until_xid xid8,
  add column until_key bigint;
alter table deliveries drop constraint deliveries_kind_check;
alter table deliveries add constraint deliveries_kind_check
  check (kind in ('alert', 'resolved', 'limit', 'digest', 'test', 'change'));
create index deliveries_of_subscription on deliveries (subscription_id, key) where subscription_id is not null;
create index deliveries_waiting_of_subscription on deliveries (subscription_id, key)
  where subscription_id is not null and state = 'waiting';

-- A restored installation sends nothing that waited when its backup was made, and says that changes were missed.
create or replace function hold_restored_matches() returns void language sql as $$
  update clips_to_judge set is_restored = true;
  update rule_sweeps set is_restored = true;
  delete from alert_upload_requests;
  update deliveries set state = 'dropped', reason = 'The installation was restored from a backup.', next_attempt_date = null,
    end_date = clock_timestamp() where state = 'waiting';
  update channels set worker_id = null, worker_until = null;
  update subscriptions set xid = null, change_key = null;
  update subscription_lease set holder = null, held_until = null;
$$;
