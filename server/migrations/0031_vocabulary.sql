-- Names and terms that are likely to be said. See features/vocabulary.

create table vocabulary_terms (
  key bigint generated always as identity primary key,
  -- The device group whose devices use it; null: all devices of the installation.
  collection_id bigint references collections (key) on delete cascade,
  term text not null,
  -- Other forms under which it is searched, as an array of texts.
  spoken_as jsonb not null default '[]',
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create unique index vocabulary_terms_of_scope on vocabulary_terms (coalesce(collection_id, 0), lower(term));
