-- The work of devices is listed without the platform's own, of which there is one event for each clip.
create index events_by_creation_of_devices on events (creation_date desc, key desc) where server_event = 0;
create index events_of_device_itself on events (device_id, creation_date desc, key desc) where server_event = 0;
