-- Whose turn it is in the platform's own work and in its postbacks. See features/event/fair-turns.ts.

-- The owner of the device when the event was enqueued; 0 for events that agents do. A device that is given to another
-- owner afterwards only changes whose turn its waiting events take, so it is not followed.
alter table events add column owner_id bigint not null default 0;
update events e set owner_id = d.user_id from devices d
where d.key = e.device_id and e.server_event = 1 and e.event_status in (1, 2, 3);

-- A trigger, so that nodes of the version before, which may run beside this one for a while, fill it in too. It costs
-- events that agents do nothing but the condition.
create function set_event_owner() returns trigger language plpgsql as $$
begin
  -- Without such a device the foreign key refuses the event.
  new.owner_id := coalesce((select d.user_id from devices d where d.key = new.device_id), 0);
  return new;
end $$;
create trigger events_set_owner before insert on events
  for each row when (new.server_event = 1) execute function set_event_owner();

-- The next owner of a priority, and their oldest event, are one step away each.
drop index events_for_worker;
create index events_for_worker on events (event_type_id, priority desc, owner_id, key)
  where event_status = 1 and server_event = 1;

-- The same for postbacks, with the host that is called.
alter table postbacks add column owner_id bigint not null default 0, add column host text not null default '';
create function set_postback_owner() returns trigger language plpgsql as $$
begin
  select d.user_id, coalesce(substring(lower(e.postback_url) from '^[a-z]+://(\[[^]]*\]|[^/:?#]*)'), '')
  into new.owner_id, new.host
  from events e join devices d on d.key = e.device_id where e.key = new.event_id;
  new.owner_id := coalesce(new.owner_id, 0);
  new.host := coalesce(new.host, '');
  return new;
end $$;
create trigger postbacks_set_owner before insert on postbacks for each row execute function set_postback_owner();
update postbacks p set owner_id = d.user_id,
  host = coalesce(substring(lower(e.postback_url) from '^[a-z]+://(\[[^]]*\]|[^/:?#]*)'), '')
from events e join devices d on d.key = e.device_id where e.key = p.event_id and p.postback_state = 'waiting';

drop index postbacks_due;
create index postbacks_due on postbacks (owner_id, next_attempt_date) where postback_state = 'waiting';
