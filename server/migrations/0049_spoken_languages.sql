-- The languages that people speak where devices record. See features/spoken-language.
create table spoken_languages (
  key bigint generated always as identity primary key,
  -- Of a device or a collection; of the installation if both are null.
  device_id bigint references devices (key) on delete cascade,
  collection_id bigint references collections (key) on delete cascade,
  -- Language tags such as `en`; a setting without languages is no row.
  languages text[] not null check (cardinality(languages) > 0),
  last_modified_date timestamptz not null default now(),
  last_modified_by bigint,
  check (device_id is null or collection_id is null)
);
create unique index spoken_languages_of_device on spoken_languages (device_id) where device_id is not null;
create unique index spoken_languages_of_collection on spoken_languages (collection_id) where collection_id is not null;
create unique index spoken_languages_of_installation on spoken_languages ((true))
  where device_id is null and collection_id is null;
