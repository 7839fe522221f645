-- Lines that the programs on a device log. See features/log-message.

create table log_messages (
  key bigint generated always as identity primary key,
  device_id bigint not null references devices (key) on delete cascade,
  -- The agent is found by device, type and index: it may register later, and be removed.
  agent_type_id bigint,
  agent_index bigint,
  process_id bigint,
  version text,
  level text not null,
  message text not null,
  message_date timestamptz not null,
  creation_date timestamptz not null default now()
);
create index log_messages_of_device on log_messages (device_id, message_date desc, key desc);
create index log_messages_of_level on log_messages (device_id, level, message_date desc, key desc);
