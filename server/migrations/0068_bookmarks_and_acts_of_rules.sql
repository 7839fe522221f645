-- A collection that has former sound, or a bookmark of it, kept it visible to everybody who may read its device.
update files f set is_former = true
where not f.is_former and f.key in (select v.file_id from clip_versions v)
  and not exists (select 1 from audio_clips c where c.file_id = f.key);

-- Acts that a rule did by itself, with the rights of the person whose rule it is.
alter table audit_entries add column rule_id bigint;

-- As in 0044, with the new column.
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
    insert into audit_entries (key, audit_date, action, user_id, session_id, api_key_id, rule_id, owner_id, device_id,
        record_key, person_id, file_id, address, sha256_before, sha256_after, written_in)
      overriding system value
      select key, audit_date, action, user_id, session_id, api_key_id, rule_id, owner_id, device_id, record_key, person_id,
        file_id, address, sha256_before, sha256_after, written_in
      from audit_entries_moved;
    drop table audit_entries_moved;
    perform make_audit_partition('audit_entries_other', 'default');
  end if;
  for number in 0..2 loop
    perform make_audit_month(date_trunc('month', now() at time zone 'UTC') + make_interval(months => number));
  end loop;
end $$;
