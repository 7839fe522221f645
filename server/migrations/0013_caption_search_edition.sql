-- How the search reads captions, and up to which clip they have been written anew since that was changed.

create table caption_search_edition (
  is_only boolean primary key default true check (is_only),
  edition integer not null,
  next_clip_id bigint not null default 0
);
insert into caption_search_edition (edition) values (1);
