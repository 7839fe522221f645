-- Who did what; see features/audit and docs/decisions/0029. Only keys: no names, no texts, no secrets. No foreign keys,
-- because entries outlast the records that they name. One partition for each month (UTC), so that old entries are
-- removed by dropping whole partitions; rows themselves are never changed or deleted.

create table audit_entries (
  key bigint generated always as identity,
  audit_date timestamptz not null default now(),
  action text not null,
  -- Who did it; null if nobody is known.
  user_id bigint,
  session_id bigint,
  api_key_id bigint,
  -- The owner of the device at that time, who may read the entry.
  owner_id bigint,
  device_id bigint,
  record_key bigint,
  -- Whom it concerns.
  person_id bigint,
  file_id bigint,
  -- Of sign-ins.
  address text,
  primary key (audit_date, key)
) partition by range (audit_date);
create index audit_entries_of_user on audit_entries (user_id, audit_date desc, key desc);
create index audit_entries_of_person on audit_entries (person_id, audit_date desc, key desc) where person_id is not null;
create index audit_entries_of_owner on audit_entries (owner_id, audit_date desc, key desc) where owner_id is not null;
create index audit_entries_of_device on audit_entries (device_id, audit_date desc, key desc) where device_id is not null;
create index audit_entries_of_action on audit_entries (action, audit_date desc, key desc);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'entries of the audit trail cannot be changed or deleted' using errcode = 'insufficient_privilege';
end $$;
create trigger audit_entries_stay before update or delete on audit_entries
  for each row execute function refuse_audit_change();

-- Truncation of an empty table is allowed: a restore empties every table before it loads the rows.
create function refuse_audit_truncation() returns trigger language plpgsql as $$
declare
  filled boolean;
begin
  execute format('select exists (select from %I)', tg_table_name) into filled;
  if filled then
    raise exception 'entries of the audit trail cannot be changed or deleted' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger audit_entries_whole before truncate on audit_entries
  for each statement execute function refuse_audit_truncation();

create function make_audit_partition(partition_name text, bounds text) returns void language plpgsql as $$
begin
  execute format('create table %I partition of audit_entries %s', partition_name, bounds);
  -- Unlike triggers for rows, this one is not inherited.
  execute format('create trigger audit_entries_whole before truncate on %I
    for each statement execute function refuse_audit_truncation()', partition_name);
end $$;

create function make_audit_month(month timestamp) returns void language plpgsql as $$
declare
  partition_name text := 'audit_entries_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass(partition_name) is null then
    perform make_audit_partition(partition_name, format('for values from (%L) to (%L)',
      month at time zone 'UTC', (month + interval '1 month') at time zone 'UTC'));
  end if;
end $$;

-- Makes the partitions of this month and the next two. Entries of other months, as after a restore, are in
-- audit_entries_other, and move to partitions of their own.
create function make_audit_months() returns void language plpgsql as $$
declare
  month timestamp;
begin
  perform pg_advisory_xact_lock(hashtext('make_audit_months'));
  if exists (select from audit_entries_other) then
    alter table audit_entries detach partition audit_entries_other;
    alter table audit_entries_other rename to audit_entries_moved;
    for month in select distinct date_trunc('month', audit_date at time zone 'UTC') from audit_entries_moved loop
      perform make_audit_month(month);
    end loop;
    insert into audit_entries (key, audit_date, action, user_id, session_id, api_key_id, owner_id, device_id, record_key,
        person_id, file_id, address)
      overriding system value
      select key, audit_date, action, user_id, session_id, api_key_id, owner_id, device_id, record_key, person_id,
        file_id, address
      from audit_entries_moved;
    drop table audit_entries_moved;
    perform make_audit_partition('audit_entries_other', 'default');
  end if;
  for number in 0..2 loop
    perform make_audit_month(date_trunc('month', now() at time zone 'UTC') + make_interval(months => number));
  end loop;
end $$;

-- The only way to remove entries: drops the partitions whose youngest possible entry is older than the days.
create function drop_audit_months(days integer) returns integer language plpgsql as $$
declare
  partition_name text;
  dropped integer := 0;
begin
  if days < 30 then
    raise exception 'the audit trail keeps at least 30 days';
  end if;
  for partition_name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname ~ '^audit_entries_\d{4}_\d{2}$'
      and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') at time zone 'UTC' < now() - make_interval(days => days)
    order by c.relname
  loop
    execute format('drop table %I', partition_name);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;

select make_audit_partition('audit_entries_other', 'default');
select make_audit_months();
