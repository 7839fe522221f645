-- A device key that is write-only reports what a recorder has, and reads no record (decision 0037). Keys of before can
-- read, as they could.
alter table api_keys add column write_only boolean not null default false;
