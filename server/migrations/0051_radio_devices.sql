-- Whether the device records radio: its speech gets a third listen by default.
alter table devices add column is_radio boolean not null default false;

-- Which speech gets a third listen on this worker; null: none.
alter table listening_nodes add column third_listen text;
