-- When devices were online, and the alerts that people have acknowledged. See features/device and features/overview.

-- A row for each time that a device was online and went offline; online_devices has the devices that are online. Kept for
-- two days. No foreign key: the check would lock the device after online_devices, against the order of locks.
create table online_times (
  device_id bigint not null,
  since timestamptz not null,
  until timestamptz not null
);
create index online_times_of_device on online_times (device_id, until);

-- Online times before this are unknown.
alter table installation add column online_times_since timestamptz not null default now();

-- One row for each record that is part of an acknowledged alert, so that an alert with new records appears again.
-- No foreign keys: rows are removed by age, whether their records exist or not.
create table acknowledged_alerts (
  alert text not null,
  record_key bigint not null,
  device_id bigint not null,
  -- When the alert of this record began; a later one is another alert. Null: acknowledged for a day.
  since timestamptz,
  user_id bigint not null,
  -- An event that was enqueued again, so that two people do not both do so.
  is_retried boolean not null default false,
  acknowledged_date timestamptz not null default now(),
  primary key (alert, record_key)
);
create index acknowledged_alerts_by_date on acknowledged_alerts (acknowledged_date);
