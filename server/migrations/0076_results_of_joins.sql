-- The event whose result the file is. A later attempt at the event replaces what an earlier one left behind.
alter table files add column result_of bigint;
create unique index files_by_result on files (result_of) where result_of is not null;
