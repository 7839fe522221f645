-- Changes of sound are recorded with the SHA-256 of the sound before and after, and each entry with the transaction that
-- wrote it: the worker that seals entries takes them in the order in which no earlier one can still appear. Entries of
-- before this migration have no transaction.
alter table audit_entries
  add column sha256_before bytea,
  add column sha256_after bytea,
  add column written_in xid8;
alter table audit_entries alter column written_in set default pg_current_xact_id();

-- As in 0037, with the new columns.
create or replace function make_audit_months() returns void language plpgsql as $$
declare
  month timestamp;
begin
  perform pg_advisory_xact_lock(hashtext('make_audit_months'));
  if exists (select from audit_entries_other) then
    alter table audit_entries detach partition audit_entries_other;
    alter table audit_entries_other rename to audit_entries_moved;
    for month in select distinct date_trunc('month', audit_date at time zone 'UTC') from audit_entries_moved loop
      perform make_audit_month(month);
    end loop;
    insert into audit_entries (key, audit_date, action, user_id, session_id, api_key_id, owner_id, device_id, record_key,
        person_id, file_id, address, sha256_before, sha256_after, written_in)
      overriding system value
      select key, audit_date, action, user_id, session_id, api_key_id, owner_id, device_id, record_key, person_id,
        file_id, address, sha256_before, sha256_after, written_in
      from audit_entries_moved;
    drop table audit_entries_moved;
    perform make_audit_partition('audit_entries_other', 'default');
  end if;
  for number in 0..2 loop
    perform make_audit_month(date_trunc('month', now() at time zone 'UTC') + make_interval(months => number));
  end loop;
end $$;
