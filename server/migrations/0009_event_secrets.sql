-- What of an event is told to its holder alone, sealed: the URLs of others, in whose query parts secrets live.
-- A table of its own, for most events have none, and the rows of events change often.

create table event_secrets (
  event_id bigint primary key references events (key) on delete cascade,
  sealed bytea not null
);
