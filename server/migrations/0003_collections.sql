-- Collections: what is shared, and with whom. See features/access for what an item gives.

create table collections (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  collection_name text not null,
  collection_description text,
  member_access text not null default 'read' check (member_access in ('read', 'write')),
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint
);
create index collections_by_user on collections (user_id);

create table collection_items (
  key bigint generated always as identity primary key,
  collection_id bigint not null references collections (key) on delete cascade,
  device_id bigint references devices (key) on delete cascade,
  member_id bigint references users (key) on delete cascade,
  file_id bigint references files (key) on delete cascade,
  -- Who placed it, and whether they did so as an admin: an item gives access only when its
  -- placer was an admin then, or is the owner of the device or file now.
  user_id bigint references users (key) on delete set null,
  placed_by_admin boolean not null,
  creation_date timestamptz not null default now(),
  created_by bigint,
  last_modified_date timestamptz,
  last_modified_by bigint,
  check (num_nonnulls(device_id, member_id, file_id) = 1)
);
create unique index collection_items_of_device on collection_items (device_id, collection_id) where device_id is not null;
create unique index collection_items_of_member on collection_items (member_id, collection_id) where member_id is not null;
create unique index collection_items_of_file on collection_items (file_id, collection_id) where file_id is not null;
create index collection_items_by_collection on collection_items (collection_id, key);
