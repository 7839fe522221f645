-- An index for each order of the tables of presets, keys and people; see server/src/platform/table.ts.
create index event_presets_by_lower_name on event_presets (lower(event_preset_name) collate "C", key);
create index event_presets_by_creation on event_presets (creation_date, key);
-- An index has no room for a whole description.
create index api_keys_by_lower_description on api_keys (lower(left(description, 200)) collate "C", key);
create index api_keys_by_creation on api_keys (creation_date, key);
create index users_by_email on users (email collate "C", key);
create index users_by_lower_name on users (lower(display_name) collate "C", key);
create index users_by_creation on users (creation_date, key);
create index users_by_last_sign_in on users (last_sign_in_date, key);
-- Events of one type, newest first.
create index events_of_type on events (event_type_id, creation_date desc, key desc);
