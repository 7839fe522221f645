-- All names of event types: their own and further ones, unique in any case.
create table event_type_names (
  lower_name text primary key,
  event_type_name text not null,
  event_type_id bigint not null references event_types (key),
  is_alias boolean not null
);
create index event_type_names_of_type on event_type_names (event_type_id);
insert into event_type_names (lower_name, event_type_name, event_type_id, is_alias)
select lower(event_type_name), event_type_name, key, false from event_types;
drop index event_types_by_name;

-- Agent types that admins add. Keys below 1,000 are the platform's own.
create sequence agent_type_keys as bigint start with 1000;
alter table agent_types add column created_by bigint;

-- A preset may be stored before it is complete.
alter table event_presets alter column agent_type_id drop not null;
alter table event_presets alter column event_type_id drop not null;
alter table event_presets drop constraint event_presets_check;
alter table event_presets add constraint event_presets_one_target check (num_nonnulls(device_id, device_group_id) <= 1);
create index event_presets_of_user on event_presets (user_id) where device_id is null and device_group_id is null;
