-- Devices whose recordings were made by the speech synthesiser, so that they can be marked and removed.
create table sample_devices (
  device_id bigint primary key references devices (key) on delete cascade
);
