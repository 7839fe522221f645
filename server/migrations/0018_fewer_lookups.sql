-- Foreign keys of events that every enqueue or take paid for, although nothing could violate them; see decision 0011.

-- Types are looked up by the request that enqueues, and never removed. Each check locked the type's row: all enqueues of
-- the platform shared the same few rows.
alter table events drop constraint events_agent_type_id_fkey, drop constraint events_event_type_id_fkey;
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never removed: events refer to them', tg_table_name;
end $$;
create trigger agent_types_stay before delete on agent_types for each row execute function refuse_removal();
create trigger event_types_stay before delete on event_types for each row execute function refuse_removal();

-- A take locks its agent itself. What is left to do is at the agent's removal, and there the device leads to its events;
-- the foreign key read all events of the platform.
alter table events drop constraint events_agent_id_fkey;
create function forget_agent() returns trigger language plpgsql as $$
begin
  update events e set agent_id = null
  from (
    select key from events where device_id = old.device_id and agent_id = old.key order by key for no key update) own
  where e.key = own.key;
  return null;
end $$;
create trigger agents_forgotten after delete on agents for each row execute function forget_agent();
