-- The columns of a device that change with its contact and its clips, in narrow rows without further indexes: a contact
-- rewrites 60 bytes in the same page instead of a wide row and its four indexes. See decision 0028.

create table device_states (
  device_id bigint primary key references devices (key) on delete cascade,
  -- When a poll for the device came last: a poll may name no agent, yet it is contact.
  last_poll_date timestamptz,
  -- No clip of the device was ever longer: how far before a range a clip that reaches into it can begin. It only grows.
  longest_clip_ms bigint not null default 0
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- The newest migration that the node knows; null for nodes of versions before this column.
alter table nodes add column schema_number integer;

-- Every device has a state.
create function add_device_state() returns trigger language plpgsql as $$
begin
  insert into device_states (device_id, last_poll_date, longest_clip_ms)
  values (new.key, new.last_poll_date, new.longest_clip_ms);
  return null;
end $$;
create trigger devices_have_states after insert on devices for each row execute function add_device_state();

-- Nodes of the version before write and read the columns in devices. What they write is copied to device_states, and,
-- while such a node runs, what others write to device_states is copied to devices. A later migration removes both
-- triggers and the columns in devices.
create function copy_to_device_state() returns trigger language plpgsql as $$
begin
  update device_states s set
    last_poll_date = greatest(s.last_poll_date, new.last_poll_date),
    longest_clip_ms = greatest(s.longest_clip_ms, new.longest_clip_ms)
  where s.device_id = new.key;
  return null;
end $$;
create trigger devices_copy_to_states after update of last_poll_date, longest_clip_ms on devices
  for each row when (pg_trigger_depth() = 0) execute function copy_to_device_state();

-- Does not wait for a locked device, which may belong to a transaction that waits for this state. The next contact is
-- copied.
create function copy_to_device() returns trigger language plpgsql as $$
begin
  if exists (select from nodes where schema_number is null and heard_date > now() - interval '1 minute') then
    update devices d set
      last_poll_date = greatest(d.last_poll_date, new.last_poll_date),
      longest_clip_ms = greatest(d.longest_clip_ms, new.longest_clip_ms)
    where d.key = (select o.key from devices o where o.key = new.device_id for no key update skip locked);
  end if;
  return null;
end $$;
create trigger states_copy_to_devices after update on device_states
  for each row when (pg_trigger_depth() = 0) execute function copy_to_device();

insert into device_states (device_id, last_poll_date, longest_clip_ms)
select key, last_poll_date, longest_clip_ms from devices;
