-- What went wrong, the newest first, however much else there is; see features/event/queries.ts.

create index events_failed on events (creation_date desc, key desc) where event_status in (5, 6);
create index events_failed_of_device on events (device_id, creation_date desc, key desc) where event_status in (5, 6);
