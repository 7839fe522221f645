-- What changed, for the live stream; see features/live. Each row is written by the very statement that makes the
-- change, so it is there exactly when the change is.

create table changes (
  -- Keys are given out before they are committed, so their order alone is not that of appearance: a reader goes by
  -- (xid, key), and reads only what no running transaction can still come before.
  xid xid8 not null default pg_current_xact_id(),
  key bigint generated always as identity,
  kind text not null,
  change text not null check (change in ('created', 'changed', 'removed')),
  record_key bigint not null,
  device_id bigint,
  -- Only for these people; for what is gone, those who could see it before.
  readers bigint[],
  change_date timestamptz not null default now(),
  primary key (xid, key)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.1);

-- Up to where changes have been removed because of their age.
create table change_sweep (
  only_row boolean primary key default true check (only_row),
  xid xid8 not null,
  key bigint not null
);
insert into change_sweep (xid, key) values ('0', 0);

-- The devices that were last announced to be online, and until when nobody needs to look at them again.
-- A table of its own, for the rows of devices are wide and have many indexes.
create table online_devices (
  device_id bigint primary key references devices (key) on delete cascade,
  since timestamptz not null default now(),
  until timestamptz not null
) with (fillfactor = 70);
create index online_devices_by_end on online_devices (until);
