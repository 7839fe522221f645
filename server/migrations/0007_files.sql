-- Where the bytes of files are, what is known of them, and which of them are to be removed from storage.

alter table files
  -- What the storage calls them: never told to anyone, and never used twice.
  add column storage_name uuid not null default gen_random_uuid(),
  -- Of the bytes as they arrived in one piece. While they arrive, and when they came in several, it is something else
  -- that tells who is sending (features/file/queries.ts); unset when none came through us.
  add column received_sha256 text,
  -- What listening to it told; unset until somebody asked.
  add column duration_ms bigint,
  add column bitrate bigint,
  -- When it became available.
  add column available_date timestamptz,
  -- When to look whether anything uses it; unset once a clip was found to, for a clip removes what it lets go.
  add column sweep_date timestamptz;

-- A file of a device belongs to whoever owns the device, today and when it is given away.
alter table files alter column user_id drop not null,
  add check (user_id is not null or device_id is not null);

alter table files drop constraint files_device_id_fkey,
  add constraint files_device_id_fkey foreign key (device_id) references devices (key) on delete cascade;

create index files_waiting on files (creation_date) where file_status = 0;
create index files_to_sweep on files (sweep_date) where sweep_date is not null;

-- Bytes whose record is gone. Written with the removal of the record, so that a crash leaves nothing behind.
create table removed_files (
  storage_name uuid primary key,
  -- An address that was given out may still bring bytes for an hour; they are removed after it.
  due_date timestamptz not null default now()
);
create index removed_files_due on removed_files (due_date);
