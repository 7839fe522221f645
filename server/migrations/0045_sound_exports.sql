-- Exports that people asked for, with the person who asked. An export may be asked for by people who may only read the
-- device, so its maker may cancel and delete it, and has a limit. A row is here while its event is open or its file is
-- kept. The file belongs to the device, as before.
create table sound_exports (
  event_id bigint primary key references events (key) on delete cascade,
  -- Null: the person was removed.
  user_id bigint references users (key) on delete set null,
  -- Of what was asked for and of the sound it is made from; null if the result or the outcome is sent to an address.
  request_sha256 bytea,
  -- Set before its bytes are written, so that they count in the limit from then on.
  file_id bigint unique references files (key) on delete set null
);
create index sound_exports_of_user on sound_exports (user_id) where user_id is not null;
