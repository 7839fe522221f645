-- Uploads of recordings by tus. The bytes are those of a file that waits for them; a finished upload is a clip.
create table uploads (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  device_id bigint not null references devices (key) on delete cascade,
  -- Unset once the upload is finished, or if the file was removed.
  file_id bigint references files (key) on delete set null,
  upload_size bigint not null,
  -- The header Upload-Metadata as it was sent.
  metadata text not null,
  -- Unset: read from the recording.
  start_ms bigint,
  last_modified_ms bigint,
  sha256_hash text,
  -- Set when the upload is finished. The clip may have been removed since.
  audio_clip_id bigint,
  creation_date timestamptz not null default now()
);
create index uploads_open on uploads (user_id) include (upload_size) where audio_clip_id is null;
create index uploads_of_device on uploads (device_id);
create index uploads_of_file on uploads (file_id) where file_id is not null;
create index uploads_by_creation on uploads (creation_date);

-- Finds sound that is already stored.
create index files_by_hash on files (sha256_hash) where file_status = 1;
