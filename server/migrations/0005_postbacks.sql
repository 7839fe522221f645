-- Where an event's outcome is posted, how each posting went, and what the platform's own worker takes.

alter table events add column postback_url text;

-- Written with the transition that ends the event, so that no outcome is lost. See features/postback.
create table postbacks (
  key bigint generated always as identity primary key,
  event_id bigint not null unique references events (key) on delete cascade,
  -- The same in every attempt: a receiver knows by it what it has had before.
  message_id uuid not null default gen_random_uuid(),
  postback_state text not null default 'waiting' check (postback_state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  last_status integer,
  last_error text,
  -- While an attempt is under way: when it is given up for lost, with the node that made it.
  next_attempt_date timestamptz default now(),
  delivered_date timestamptz,
  creation_date timestamptz not null default clock_timestamp(),
  check ((next_attempt_date is not null) = (postback_state = 'waiting'))
);
create index postbacks_due on postbacks (next_attempt_date) where postback_state = 'waiting';

create index events_for_worker on events (event_type_id, priority desc, key) where event_status = 1 and server_event = 1;
