-- Named values that a person's programs keep. See features/user-setting.
create table user_settings (
  key bigint generated always as identity primary key,
  user_id bigint not null references users (key) on delete cascade,
  setting_name text not null,
  setting_value text not null,
  creation_date timestamptz not null default now(),
  last_modified_date timestamptz,
  unique (user_id, setting_name)
);
