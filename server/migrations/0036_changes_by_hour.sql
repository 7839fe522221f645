-- The log of changes, a partition for each hour (UTC): old changes are removed by dropping partitions, which writes no
-- row and leaves nothing to vacuum. Nodes make partitions ahead (platform/changes/partitions.ts). A change without a
-- partition goes to changes_default, so a missing partition refuses no write. See decision 0028.
--
-- Nodes of the version before keep writing, reading and sweeping the same columns under the same name.

-- Present rows become the partition of the present hour and of all before. An identity column is not possible in
-- partitioned tables before PostgreSQL 17.
create sequence change_keys as bigint;
select setval('change_keys', (select last_value from changes_key_seq));
alter table changes alter column key drop identity;
alter table changes drop constraint changes_pkey;
alter table changes rename to changes_former;

create table changes (
  -- Keys are given out before they are committed, so their order alone is not that of appearance: a reader goes by
  -- (xid, key), and reads only what no running transaction can still come before.
  xid xid8 not null default pg_current_xact_id(),
  key bigint not null default nextval('change_keys'),
  kind text not null,
  change change_name not null,
  record_key bigint not null,
  device_id bigint,
  -- Only for these people; for what is gone, those who could see it before.
  readers bigint[],
  change_date timestamptz not null default now(),
  primary key (xid, key, change_date)
) partition by range (change_date);
alter sequence change_keys owned by changes.key;

do $$
declare
  hour timestamptz := date_trunc('hour', now(), 'UTC');
  has_changes boolean := exists (select from changes_former);
  name text;
begin
  for ahead in 0 .. 6 loop
    name := to_char(hour at time zone 'UTC', '"changes_"YYYYMMDDHH24');
    if ahead = 0 and has_changes then
      execute format('alter table changes_former rename to %I', name);
      execute format(
        'alter table changes attach partition %I for values from (minvalue) to (%L)', name, hour + interval '1 hour');
    else
      execute format(
        'create table %I partition of changes for values from (%L) to (%L)', name, hour, hour + interval '1 hour');
    end if;
    hour := hour + interval '1 hour';
  end loop;
  drop table if exists changes_former;
end $$;

create table changes_default partition of changes default;
